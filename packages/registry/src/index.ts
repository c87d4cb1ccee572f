export type { ReachOptions, ServerReach, ToolCall } from './port/server-reach.js';
export type { CallOptions, Registration, Registry, SyncOptions } from './registry.js';
