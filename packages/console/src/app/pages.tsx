import { Server, Wrench } from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import { ServersPage } from '../servers/servers-page.js';
import { ToolsPage } from '../tools/tools-page.js';

interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  readonly page: ComponentType;
}

/** Every page of the navigation, in its order. */
export const PAGES: readonly PageEntry[] = [
  { path: '/servers', title: 'Servers', icon: Server, page: ServersPage },
  { path: '/tools', title: 'Tools', icon: Wrench, page: ToolsPage },
];

interface RouteEntry {
  readonly path: string;
  readonly page: ComponentType;
}

const AddServerPage = lazy(async () => ({ default: (await import('../servers/add-server-page.js')).AddServerPage }));
const ServerPage = lazy(async () => ({ default: (await import('../servers/server-page.js')).ServerPage }));
const ToolPage = lazy(async () => ({ default: (await import('../tools/tool-page.js')).ToolPage }));

/** Every address, more exact ones first. */
export const ROUTES: readonly RouteEntry[] = [
  { path: '/servers/new', page: AddServerPage },
  { path: '/servers/new/paste', page: AddServerPage },
  { path: '/servers/:id/:tab?', page: ServerPage },
  { path: '/tools/:serverId/:toolId/:tab?', page: ToolPage },
  ...PAGES.map(({ path, page }) => ({ path, page })),
];
