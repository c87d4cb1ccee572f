export { createAdminApp, type AdminAppOptions } from './http/admin-app.js';
export type { AdminLimits } from './http/limits.js';
export type { ReachOptions, ServerReach, ToolCall } from './port/server-reach.js';
export type { CallOptions, Registration, Registry, SyncOptions } from './registry.js';
