import type { Grade, NormalisedSchema, ProviderVerdicts, ServerId, ToolDefinition, ToolId } from '@plugboard/contract';
import type { Insertable, Selectable } from 'kysely';
import { isoTime } from '../port/clock.js';
import type { StoredQuarantine, StoredTool } from './store.js';
import type { Tables } from './tables.js';

export const toToolRow = (tool: StoredTool): Insertable<Tables['mcp_tools']> => ({
  id: tool.id,
  server_id: tool.serverId,
  upstream_name: tool.upstreamName,
  position: tool.position,
  definition: JSON.stringify(tool.definition),
  grade: JSON.stringify(tool.grade),
  providers: tool.providers === undefined ? null : JSON.stringify(tool.providers),
  tags: JSON.stringify(tool.tags),
  switched_off: tool.switchedOff ? 1 : 0,
  contract_hash: tool.contractHash,
  normalised: tool.normalised === undefined ? null : JSON.stringify(tool.normalised),
  quarantine: tool.quarantine === undefined ? null : JSON.stringify(tool.quarantine),
  absent_since: tool.absentSince === undefined ? null : Date.parse(tool.absentSince),
  created_at: Date.parse(tool.createdAt),
  updated_at: Date.parse(tool.updatedAt),
});

export const fromToolRow = (row: Selectable<Tables['mcp_tools']>): StoredTool => ({
  id: row.id as ToolId,
  serverId: row.server_id as ServerId,
  upstreamName: row.upstream_name,
  position: row.position,
  definition: JSON.parse(row.definition) as ToolDefinition,
  grade: JSON.parse(row.grade) as Grade,
  providers: row.providers === null ? undefined : (JSON.parse(row.providers) as ProviderVerdicts),
  tags: JSON.parse(row.tags) as readonly string[],
  switchedOff: row.switched_off !== 0,
  contractHash: row.contract_hash,
  normalised: row.normalised === null ? undefined : (JSON.parse(row.normalised) as NormalisedSchema),
  quarantine: row.quarantine === null ? undefined : (JSON.parse(row.quarantine) as StoredQuarantine),
  absentSince: row.absent_since === null ? undefined : isoTime(row.absent_since),
  createdAt: isoTime(row.created_at),
  updatedAt: isoTime(row.updated_at),
});
