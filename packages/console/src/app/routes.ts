import type { ComponentType } from 'react';
import { PAGES } from './pages.js';

interface RouteEntry {
  readonly path: string;
  readonly page: ComponentType;
}

/** Every address, more exact ones first. */
export const ROUTES: readonly RouteEntry[] = PAGES.map(({ path, page }) => ({ path, page }));
