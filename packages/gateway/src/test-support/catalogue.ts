import type { CatalogueEntry, Grade, Server, Tool } from '@plugboard/contract';
import type { CatalogueSource } from '../offer/catalogue/catalogue-source.js';

const AT = '2026-11-01T00:00:00.000Z';
const uuid = (seed: number): string => `00000000-0000-4000-8000-${String(seed).padStart(12, '0')}`;

/** Its tools were read once, so nobody waits for them. */
const SYNCED: Server['last_sync'] = {
  status: 'ok',
  added: [],
  updated: [],
  deleted: [],
  skipped: [],
  repaired: [],
  failed: [],
  total: 0,
  dry_run: false,
  at: AT,
};

export const sampleServer = (name: string, seed: number, changes: Partial<Server> = {}): Server => ({
  id: `mcp_server-${uuid(seed)}`,
  server_name: name,
  config: { mcp_server_type: 'stdio', command: 'node', args: [name] },
  enabled: true,
  protocol: null,
  last_sync: SYNCED,
  created_at: AT,
  updated_at: AT,
  ...changes,
});

const FINE: Grade = { status: 'STRICT_COMPLIANT', reasons: [] };

export const sampleTool = (server: Server, upstreamName: string, changes: Partial<Tool> = {}): Tool => ({
  id: `tool-${uuid(upstreamName.length)}`,
  server_id: server.id,
  upstream_name: upstreamName,
  name: `${server.server_name}__${upstreamName}`,
  title: null,
  description: `does ${upstreamName}`,
  tool_type: 'external_mcp',
  input_schema: { type: 'object' },
  annotations: null,
  grade: FINE,
  tags: [`mcp:${server.server_name}`],
  metadata: { mcp: { server_id: server.id, server_name: server.server_name } },
  enabled: true,
  contract_hash: 'hash',
  created_at: AT,
  updated_at: AT,
  ...changes,
});

export const catalogueOf = (entries: readonly CatalogueEntry[]): CatalogueSource => ({
  snapshot: () => ({ version: 1, entries }),
  status: () => ({ state: 'unknown' }),
  onChange: () => () => undefined,
});
