import type { DataPlane } from '../port/data-plane.js';
import type { Log } from '../port/log.js';
import type { Registry } from '../registry.js';
import type { AdminLimits } from './limits.js';

/** Where the admin API reports what nobody expected. */
export type AdminLog = Pick<Log, 'error'>;

/** What the routes work with. */
export interface AdminContext {
  readonly registry: Registry;
  readonly dataPlane: DataPlane;
  readonly version: string;
  readonly log: AdminLog;
  readonly limits: AdminLimits;
  readonly startedAt: number;
}
