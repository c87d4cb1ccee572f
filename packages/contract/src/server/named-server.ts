import { z } from 'zod';
import { serverId } from '../field/identifier.js';
import { missingVariables } from './server.js';
import { sseConfig, stdioConfig, streamableHttpConfig } from './server-config.js';
import { headerName, headerValue, entryName, processText } from '../field/text.js';

const stdioNamed = stdioConfig.omit({ mcp_server_type: true });
const sseNamed = sseConfig.omit({ mcp_server_type: true });
const streamableHttpNamed = streamableHttpConfig.omit({ mcp_server_type: true });

/** A server as the name-keyed routes take it: one flat object, its kind in `type`. */
export const namedServer = z.discriminatedUnion('type', [
  stdioNamed.extend({ server_name: entryName, type: z.literal('stdio') }),
  sseNamed.extend({ server_name: entryName, type: z.literal('sse') }),
  streamableHttpNamed.extend({ server_name: entryName, type: z.literal('streamable_http') }),
]);
export type NamedServer = z.infer<typeof namedServer>;

const viewMembers = {
  id: serverId,
  server_name: entryName,
  enabled: z.boolean(),
  missing_variables: missingVariables,
};

/** A server as the name-keyed routes show it, secret values masked. */
export const namedServerView = z.discriminatedUnion('type', [
  z.object({ ...viewMembers, type: z.literal('stdio'), ...stdioNamed.shape }),
  z.object({ ...viewMembers, type: z.literal('sse'), ...sseNamed.shape }),
  z.object({ ...viewMembers, type: z.literal('streamable_http'), ...streamableHttpNamed.shape }),
]);
export type NamedServerView = z.infer<typeof namedServerView>;

const stdioChange = {
  command: processText.min(1).nullish(),
  args: z.array(processText).max(1024).nullish(),
  env: stdioConfig.shape.env,
  cwd: processText.nullish(),
  sandbox: stdioConfig.shape.sandbox,
};

/** A change through the name-keyed routes: what is left out stays. Only members of the server's own kind are taken. */
export const namedServerUpdate = z.strictObject({
  server_name: entryName.nullish(),
  type: z.enum(['stdio', 'sse', 'streamable_http']).optional(),
  server_url: sseConfig.shape.server_url.nullish(),
  auth_header: headerName.nullish(),
  auth_token: headerValue.nullish(),
  token: headerValue.nullish().describe('the older name of auth_token'),
  custom_headers: sseConfig.shape.custom_headers,
  oauth: sseConfig.shape.oauth,
  variables: sseConfig.shape.variables,
  ...stdioChange,
  missing_variables: missingVariables.optional().describe('shown only; sent back, it changes nothing'),
  stdio_config: z
    .strictObject({ server_name: entryName.nullish(), type: z.literal('stdio').optional(), ...stdioChange })
    .nullish()
    .describe('command, args, env, cwd and sandbox in one block'),
});
export type NamedServerUpdate = z.infer<typeof namedServerUpdate>;
