import type { Tables } from './tables.js';

/** Every table with its primary key. Whatever refers to a row comes after it. */
export const MOVED_TABLES = {
  mcp_servers: ['id'],
  mcp_tools: ['id'],
  sync_marks: ['server_id'],
  toolsets: ['id'],
  agents: ['id'],
  api_keys: ['id'],
  oauth_sessions: ['id'],
  oauth_credentials: ['owner', 'principal'],
  oauth_clients: ['issuer', 'redirect_uri'],
  health_services: ['name'],
  audit_log: ['id'],
  server_logs: ['id'],
  client_sessions: ['key'],
  client_events: ['session_key', 'last_event'],
  monitor_samples: ['id'],
  check_runs: ['id'],
  bench_runs: ['id'],
  keyed_requests: ['id'],
  // a new table that is forgotten here does not compile
} as const satisfies Record<Exclude<keyof Tables, 'store_meta' | LiveTable>, readonly string[]>;

/** What the processes on a store tell each other while they run; it means nothing in a copy. */
type LiveTable = 'hub_members' | 'leases' | 'limit_buckets' | 'limit_places';

export const LIVE_TABLES = [
  'hub_members',
  'leases',
  'limit_buckets',
  'limit_places',
] as const satisfies readonly LiveTable[];

export type MovedTable = keyof typeof MOVED_TABLES;

export const movedTables = Object.keys(MOVED_TABLES) as readonly MovedTable[];
