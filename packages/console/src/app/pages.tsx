import { Server } from 'lucide-react';
import type { ComponentType } from 'react';
import { ServersPage } from '../servers/servers-page.js';

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  readonly page: ComponentType;
}

/** Every page of the navigation, in its order. */
export const PAGES: readonly PageEntry[] = [{ path: '/servers', title: 'Servers', icon: Server, page: ServersPage }];
