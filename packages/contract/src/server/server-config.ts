import { z } from 'zod';
import { variableName } from '../agent/agent.js';
import { httpUrl } from '../field/http-url.js';
import { oauthSettings } from '../oauth/oauth-settings.js';
import { programSandbox } from './program-sandbox.js';
import { headerName, headerValue, processText } from '../field/text.js';

const environment = z.record(processText.min(1).regex(/^[^=]+$/u, 'must not contain "="'), processText);

/** Who may use one connection to a server together. */
export const connectionSharing = z.enum(['shared', 'per-client', 'per-agent']);
export type ConnectionSharing = z.infer<typeof connectionSharing>;

const sharing = connectionSharing
  .nullish()
  .describe('who shares a connection; default: one per client for stateful servers, one for all clients otherwise');

/** What `{{ NAME }}` and `${NAME}` in the other members stand for, after the variables of an agent. */
const variables = z
  .record(variableName, processText)
  .nullish()
  .describe('values for {{ NAME }} and ${NAME} in the other members; secrets, masked when read');

const seconds = z.number().positive().max(86_400);

/** How long each step with one server may take; what is left out is as for all servers. */
const serverDeadlines = z.strictObject({
  connect: seconds.nullish().describe('to open a session'),
  list: seconds.nullish().describe('to read one page of a list'),
  call: seconds.nullish().describe('for any other request; progress notifications extend it'),
  tools: z.record(z.string().min(1).max(256), seconds).nullish().describe('for calls of individual tools, by name'),
});

const deadlines = serverDeadlines.nullish().describe('time limits of each step, in seconds; default: those of the hub');

const MAX_PEM = 65_536;

/** Authorities of certificates. */
export const certificateText = z
  .string()
  .max(MAX_PEM)
  .regex(/-----BEGIN CERTIFICATE-----/u, 'must be a certificate in PEM form');

const MAX_PORT = 65_535;

const listen = z
  .strictObject({
    port: z.number().int().min(1).max(MAX_PORT).nullish().describe('the port; default: any free one'),
    path: z
      .string()
      .max(1024)
      .regex(/^\//u, 'must begin with a slash')
      .nullish()
      .describe('the path of the MCP endpoint; default: /mcp'),
    health: z
      .string()
      .max(1024)
      .regex(/^\//u, 'must begin with a slash')
      .nullish()
      .describe(
        'a path that answers GET with 2xx when the program is ready; the hub restarts a program that stops doing so',
      ),
  })
  .nullish()
  .describe(
    'the program serves Streamable HTTP on a local port; it gets the number in the variable PORT and in {{PORT}}',
  );

const limits = z
  .strictObject({ memory_mb: z.number().int().min(16).max(1_048_576).nullish() })
  .nullish()
  .describe('resource limits of the program and its children; the hub stops a program that exceeds them');

/** What happens when the program of a server ends. */
export const restartMode = z.enum(['on-failure', 'always', 'never']);

/** A server that Plugboard starts, and speaks to over its standard streams unless it listens on a port. */
export const stdioConfig = z.strictObject({
  mcp_server_type: z.literal('stdio'),
  command: processText.min(1).describe('the program to run; it is never passed through a shell'),
  args: z.array(processText).max(1024).default([]),
  env: environment.nullish().describe('environment variables of the process; their values are secrets'),
  cwd: processText.nullish(),
  listen,
  limits,
  restart: restartMode.nullish().describe('when the program is restarted; default: on-failure'),
  sandbox: programSandbox,
  deadlines,
  variables,
  sharing,
});

/** How the HTTP transport is spoken. */
export const connectionProfile = z.enum(['standard', 'post-sse']);

const httpFields = {
  server_url: httpUrl,
  auth_header: headerName.nullish().describe('the header that carries auth_token; default: Authorization'),
  auth_token: headerValue.nullish(),
  custom_headers: z.record(headerName, headerValue).nullish(),
  oauth: oauthSettings.nullish().describe('how to log in if the server requires OAuth'),
  profile: connectionProfile
    .nullish()
    .describe('post-sse: requests and responses over POST /sse with an x-session-id header; default: standard'),
  ca: certificateText.nullish().describe('additional trusted certificate authorities, in PEM format'),
  proxy: z
    .union([z.literal('none'), httpUrl])
    .nullish()
    .describe("the HTTP proxy for this server, or none; default: the hub's proxy"),
  deadlines,
  variables,
  sharing,
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
