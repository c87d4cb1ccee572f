import { z } from 'zod';
import { variableName } from '../agent/agent.js';
import { errorDescription } from '../error/error-envelope.js';
import { serverId } from '../field/identifier.js';
import { serverConfig, serverConfigUpdate, sseConfig, stdioConfig, streamableHttpConfig } from './server-config.js';
import type { KeptConfig } from './kept-config.js';
import { programFacts } from './server-log.js';
import { syncReport } from './sync-report.js';
import { entryName, timestamp } from '../field/text.js';

const era = z.enum(['legacy', 'modern']);

/** Which protocol the server was last seen to speak. */
const serverProtocol = z.object({
  era: era.describe('the era of the connection that the hub reads its lists over; modern where the server has it'),
  eras: z.array(era).optional().describe('the eras that the server is known to support; missing until both were tried'),
  revision: z.string(),
  transport: z.enum(['stdio', 'sse', 'streamable_http']),
  checked_at: timestamp,
});
export type ServerProtocol = z.infer<typeof serverProtocol>;

/** How the server was found the last time somebody tried. */
export const serverStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('unknown') }),
  z.object({ state: z.literal('ready'), at: timestamp }),
  z.object({ state: z.literal('failing'), at: timestamp, error: errorDescription }),
]);
export type ServerStatus = z.infer<typeof serverStatus>;

/** A registered MCP server. */
export const server = z.object({
  id: serverId,
  server_name: entryName,
  config: serverConfig,
  enabled: z.boolean(),
  protocol: serverProtocol.nullable(),
  last_sync: syncReport.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
/** As the hub keeps it in memory: this never leaves it. */
export type Server = Omit<z.infer<typeof server>, 'config'> & { readonly config: KeptConfig };

export const serverCreate = server.pick({ server_name: true, config: true }).strict();
export type ServerCreate = z.infer<typeof serverCreate>;

export const serverUpdate = z.strictObject({
  server_name: entryName.nullish(),
  config: serverConfigUpdate.optional(),
  enabled: z.boolean().optional(),
});
export type ServerUpdate = z.infer<typeof serverUpdate>;

/** Names of variables for which neither the server nor the hub has a value: an agent has to bring them. */
export const missingVariables = z
  .array(variableName)
  .default([])
  .describe('variables in its templates that have no value unless an agent provides one');

const viewMembers = server.omit({ config: true }).extend({
  status: serverStatus,
  tool_count: z.number().int().nonnegative(),
  held_tool_count: z
    .number()
    .int()
    .nonnegative()
    .describe('changed tools that wait for an operator to approve or reject them'),
  missing_variables: missingVariables,
  program: programFacts.optional().describe('the state of the programs that the hub started for it'),
  sync: syncReport.optional(),
}).shape;

/** A server as the admin API shows it: config members beside the id, secret values masked. */
export const serverView = z.discriminatedUnion('mcp_server_type', [
  z.object({ ...viewMembers, ...stdioConfig.shape }),
  z.object({ ...viewMembers, ...sseConfig.shape }),
  z.object({ ...viewMembers, ...streamableHttpConfig.shape }),
]);
export type ServerView = z.infer<typeof serverView>;
