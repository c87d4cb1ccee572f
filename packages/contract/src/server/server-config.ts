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
  .describe('who shares a connection; left out, servers that hold state get one per client and others one for all');

/** What `{{ NAME }}` and `${NAME}` in the other members stand for, after the variables of an agent. */
const variables = z
  .record(variableName, processText)
  .nullish()
  .describe('values for {{ NAME }} and ${NAME} in the other members; secrets, masked when read');

const seconds = z.number().positive().max(86_400);

/** How long each step with one server may take; what is left out is as for all servers. */
export const serverDeadlines = z.strictObject({
  connect: seconds.nullish().describe('until a session is open'),
  list: seconds.nullish().describe('for each page of a list'),
  call: seconds.nullish().describe('for any other request; progress extends it'),
  tools: z.record(z.string().min(1).max(256), seconds).nullish().describe('for calls of single tools, by their name'),
});

const deadlines = serverDeadlines
  .nullish()
  .describe("how long each step may take, in seconds; the hub's own deadlines apply to what is left out");

const MAX_PEM = 65_536;

/** Authorities of certificates. */
export const certificateText = z
  .string()
  .max(MAX_PEM)
  .regex(/-----BEGIN CERTIFICATE-----/u, 'must be a certificate in PEM form');

const MAX_PORT = 65_535;

const listen = z
  .strictObject({
    port: z.number().int().min(1).max(MAX_PORT).nullish().describe('any free one when left out'),
    path: z.string().max(1024).regex(/^\//u, 'must begin with a slash').nullish().describe('/mcp when left out'),
    health: z
      .string()
      .max(1024)
      .regex(/^\//u, 'must begin with a slash')
      .nullish()
      .describe('a path that answers GET with 2xx once the program is ready; one that no longer does is restarted'),
  })
  .nullish()
  .describe(
    'the program serves Streamable HTTP on a port of this machine; it finds the number in PORT and for {{PORT}}',
  );

const limits = z
  .strictObject({ memory_mb: z.number().int().min(16).max(1_048_576).nullish() })
  .nullish()
  .describe('what the program may take, with everything that it starts; beyond that it is ended');

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
  restart: restartMode.nullish().describe('when the program is started again; on-failure when left out'),
  sandbox: programSandbox,
  deadlines,
  variables,
  sharing,
});

/** How the HTTP transport is spoken. */
export const connectionProfile = z.enum(['standard', 'post-sse']);

const httpFields = {
  server_url: httpUrl,
  auth_header: headerName.nullish().describe('the header that carries auth_token; Authorization when left out'),
  auth_token: headerValue.nullish(),
  custom_headers: z.record(headerName, headerValue).nullish(),
  oauth: oauthSettings.nullish().describe('how to log in when the server asks for OAuth'),
  profile: connectionProfile
    .nullish()
    .describe('post-sse: requests and answers over POST /sse with an x-session-id; standard when left out'),
  ca: certificateText.nullish().describe('authorities to trust beside the built-in ones, in PEM form'),
  proxy: z
    .union([z.literal('none'), httpUrl])
    .nullish()
    .describe("the HTTP proxy on the way to the server, or none; the hub's own when left out"),
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
