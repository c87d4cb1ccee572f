import { z } from 'zod';
import { headerName, headerValue, processText } from './text.js';

const environment = z.record(processText.min(1).regex(/^[^=]+$/u, 'must not contain "="'), processText);

const httpUrl = z
  .string()
  .max(4096)
  .refine((value) => {
    const url = URL.parse?.(value) ?? (URL.canParse(value) ? new URL(value) : null);
    return url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
  }, 'must be an http:// or https:// URL')
  .refine((value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return url === undefined || (url.username === '' && url.password === '');
  }, 'must not contain a user name or password; put the credential into auth_token');

/** A server that Plugboard starts and speaks to over its standard streams. */
export const stdioConfig = z.strictObject({
  mcp_server_type: z.literal('stdio'),
  command: processText.min(1).describe('the program to run; it is never passed through a shell'),
  args: z.array(processText).max(1024).default([]),
  env: environment.nullish().describe('environment variables of the process; their values are secrets'),
  cwd: processText.nullish(),
});

const httpFields = {
  server_url: httpUrl,
  auth_header: headerName.nullish().describe('the header that carries auth_token; Authorization when left out'),
  auth_token: headerValue.nullish(),
  custom_headers: z.record(headerName, headerValue).nullish(),
};

/** A server that speaks the HTTP+SSE transport of 2024-11-05. */
export const sseConfig = z.strictObject({ mcp_server_type: z.literal('sse'), ...httpFields });

/** A server that speaks Streamable HTTP, of either era. */
export const streamableHttpConfig = z.strictObject({ mcp_server_type: z.literal('streamable_http'), ...httpFields });

export const serverConfig = z.discriminatedUnion('mcp_server_type', [stdioConfig, sseConfig, streamableHttpConfig]);

export type StdioConfig = z.infer<typeof stdioConfig>;
export type SseConfig = z.infer<typeof sseConfig>;
export type StreamableHttpConfig = z.infer<typeof streamableHttpConfig>;
export type HttpConfig = SseConfig | StreamableHttpConfig;
export type ServerConfig = z.infer<typeof serverConfig>;
export type ServerType = ServerConfig['mcp_server_type'];

export const serverTypes = ['stdio', 'sse', 'streamable_http'] as const satisfies readonly ServerType[];

/** A change to a config: what is left out stays, null clears what may be empty and leaves alone what may not. */
const stdioConfigUpdate = stdioConfig
  .partial()
  .required({ mcp_server_type: true })
  .extend({
    command: stdioConfig.shape.command.nullish(),
    args: z.array(processText).max(1024).nullish(),
  });
const sseConfigUpdate = sseConfig
  .partial()
  .required({ mcp_server_type: true })
  .extend({ server_url: httpUrl.nullish() });
const streamableHttpConfigUpdate = streamableHttpConfig
  .partial()
  .required({ mcp_server_type: true })
  .extend({ server_url: httpUrl.nullish() });

export const serverConfigUpdate = z.discriminatedUnion('mcp_server_type', [
  stdioConfigUpdate,
  sseConfigUpdate,
  streamableHttpConfigUpdate,
]);
export type ServerConfigUpdate = z.infer<typeof serverConfigUpdate>;
