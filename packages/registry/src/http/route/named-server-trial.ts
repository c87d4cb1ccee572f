import { configTrial, connectEvent, loginHolder, namedServer, type ConfigTrial } from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { behalfOf, reachFor } from '../endpoint/on-behalf.js';
import { UPSTREAM_ERRORS } from '../endpoint/upstream-errors.js';
import { loginWait } from '../stream/login-wait.js';
import { connectStream } from '../stream/connect-stream.js';
import { liveTool } from '../view/live-tool.js';
import { toServerCreate } from '../view/named-server-view.js';

const bodyExample = { server_name: 'weather', type: 'streamable_http', server_url: 'https://weather.example/mcp' };

const tryOut = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'tryNamedServer',
      method: 'post',
      path: '/v1/tools/mcp/servers/test',
      tag: 'named',
      summary: 'Try a config without registering it',
      body: namedServer,
      bodyExample,
      answers: { 200: { description: 'The tools that the server offers.', schema: configTrial } },
      errors: [...UPSTREAM_ERRORS],
    },
    async ({ body }, c) => {
      const tools = await registry.tryConfig(toServerCreate(body), await reachFor(registry, c));
      return c.json({ status: 'success', tools: tools.map(liveTool) } satisfies ConfigTrial);
    },
  );

const connect = ({ registry, limits }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'connectNamedServer',
      method: 'post',
      path: '/v1/tools/mcp/servers/connect',
      tag: 'named',
      summary: 'Try a config and watch the attempt',
      description: 'The events of `GET /v1/mcp-servers/connect/{mcp_server_id}`, for a server that is not registered.',
      body: namedServer,
      bodyExample,
      answers: {
        200: { description: 'The events, one JSON object each.', schema: connectEvent, mediaType: 'text/event-stream' },
      },
      errors: [],
    },
    async ({ body }, c) => {
      const input = toServerCreate(body);
      const behalf = await behalfOf(registry, c, undefined);
      return connectStream(
        {
          serverName: input.server_name,
          connect: (signal) => registry.tryConfig(input, { ...behalf, signal }),
          loggedIn: loginWait(registry, loginHolder(input.config, behalf.user)),
        },
        limits,
        c.req.raw.signal,
      );
    },
  );

export const namedServerTrialRoutes = (admin: AdminContext): readonly Endpoint[] => [tryOut(admin), connect(admin)];
