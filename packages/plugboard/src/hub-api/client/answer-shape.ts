import {
  errorDescription,
  type ServerLogEntry,
  type ServerView,
  type SyncReport,
  type ToolView,
} from '@plugboard/contract';
import { z } from 'zod';

// A hub may be a little older or newer than this program. So only what the commands rely on is checked, and every
// other member is handed on as it came.

const names = z.array(z.string());

const syncShape = z.looseObject({
  status: z.enum(['ok', 'partial', 'failed']),
  added: names,
  updated: names,
  deleted: names,
  skipped: z.array(z.looseObject({ name: z.string(), reasons: z.array(z.looseObject({ message: z.string() })) })),
  failed: z.array(z.looseObject({ name: z.string(), error: errorDescription })),
  error: errorDescription.optional(),
  total: z.number(),
  dry_run: z.boolean(),
  at: z.string(),
});

const statusShape = z.discriminatedUnion('state', [
  z.looseObject({ state: z.literal('unknown') }),
  z.looseObject({ state: z.literal('ready'), at: z.string() }),
  z.looseObject({ state: z.literal('failing'), at: z.string(), error: errorDescription }),
]);

const serverMembers = {
  id: z.string(),
  server_name: z.string(),
  enabled: z.boolean(),
  status: statusShape,
  tool_count: z.number(),
  protocol: z.looseObject({ era: z.string(), revision: z.string(), transport: z.string() }).nullable(),
  last_sync: syncShape.nullable(),
  sync: syncShape.optional(),
};

const urlMembers = { ...serverMembers, server_url: z.string() };

const serverShape = z.discriminatedUnion('mcp_server_type', [
  z.looseObject({ ...serverMembers, mcp_server_type: z.literal('stdio'), command: z.string(), args: names }),
  z.looseObject({ ...urlMembers, mcp_server_type: z.literal('sse') }),
  z.looseObject({ ...urlMembers, mcp_server_type: z.literal('streamable_http') }),
]);

const toolShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  upstream_name: z.string(),
  enabled: z.boolean(),
  grade: z.looseObject({
    status: z.enum(['STRICT_COMPLIANT', 'NON_STRICT_ONLY', 'INVALID']),
    reasons: z.array(z.looseObject({ message: z.string(), pointer: z.string() })),
  }),
});

const logShape = z.looseObject({
  id: z.string(),
  at: z.string(),
  kind: z.string(),
  pid: z.number().nullable(),
  text: z.string(),
});

export const logAnswer = logShape as unknown as z.ZodType<ServerLogEntry>;
export const serverAnswer = serverShape as unknown as z.ZodType<ServerView>;
export const syncAnswer = syncShape as unknown as z.ZodType<SyncReport>;
export const toolAnswer = toolShape as unknown as z.ZodType<ToolView>;
