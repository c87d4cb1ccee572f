import { connectEvent, oauthSessionOwner } from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { behalfOf, holderFor } from '../endpoint/on-behalf.js';
import { loginWait } from '../stream/login-wait.js';
import { connectStream } from '../stream/connect-stream.js';

export const serverConnectRoutes = ({ registry, limits }: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'connectServer',
      method: 'get',
      path: '/v1/mcp-servers/connect/{mcp_server_id}',
      tag: 'servers',
      summary: 'Connect to a server and watch the attempt',
      description:
        'A stream of server-sent events: `connection_attempt`, then `success` with the tools or `error`. When the server requires a login, `oauth_required`, `authorization_url` and `waiting_for_auth` come between, and the end follows the login. Comments keep the stream alive. The stream ends when the attempt ends, and the attempt ends when the client disconnects. A login continues without a client: connecting again before it expires returns the same login.',
      query: oauthSessionOwner,
      answers: {
        200: { description: 'The events, one JSON object each.', schema: connectEvent, mediaType: 'text/event-stream' },
      },
      errors: ['SERVER_NOT_FOUND', 'NOT_FOUND'],
    },
    async ({ params, query }, c) => {
      const server = await registry.getServer(params.mcp_server_id);
      const behalf = await behalfOf(registry, c, query.agent_id);
      return connectStream(
        {
          serverName: server.server_name,
          connect: (signal) => registry.listLiveTools(server.id, { ...behalf, signal }),
          loggedIn: loginWait(registry, holderFor(server, behalf)),
        },
        limits,
        c.req.raw.signal,
      );
    },
  ),
];
