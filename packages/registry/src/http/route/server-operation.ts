import { loginUserOf, serverLogEntry, serverLogQuery, serverView as serverViewSchema } from '@plugboard/contract';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { principalOf } from '../endpoint/admission.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { serverView } from '../view/server-view.js';
import { factsFrom } from './server-lookup.js';

const DEFAULT_LINES = 100;
const SECOND_MS = 1000;

const restart = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'restartServer',
      method: 'post',
      path: '/v1/mcp-servers/{mcp_server_id}/restart',
      tag: 'servers',
      summary: 'Restart a server',
      description:
        'Closes every connection to the server, stops its programs, clears earlier failures, and starts it by reading its tools. Returns 200 even if it does not start: `sync.error` then has the reason.',
      answers: { 200: { description: 'The server, and the report of the sync.', schema: serverViewSchema } },
      errors: ['SERVER_NOT_FOUND', 'PERMISSION_DENIED', 'STDIO_DISABLED'],
    },
    async ({ params }, c) => {
      const user = loginUserOf(principalOf(c));
      const { server, sync } = await registry.restartServer(params.mcp_server_id, { user });
      return c.json(serverView(server, { ...factsFrom(registry)(server), sync }));
    },
  );

const logs = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'readServerLogs',
      method: 'get',
      path: '/v1/mcp-servers/{mcp_server_id}/logs',
      tag: 'servers',
      summary: 'Read the log of a server',
      description: `The stderr output of its programs, and their starts, exits and sessions, oldest first. Default: the last ${DEFAULT_LINES} entries. To follow it, pass the id of the last entry as \`after\`, and \`wait\`. Secrets are redacted.`,
      query: serverLogQuery,
      answers: { 200: { description: 'The entries.', schema: z.array(serverLogEntry) } },
      errors: ['SERVER_NOT_FOUND'],
    },
    async ({ params, query }, c) => {
      const { id } = await registry.getServer(params.mcp_server_id);
      const { limit = DEFAULT_LINES, after, wait = 0 } = query;
      const waiting = { ms: wait * SECOND_MS, signal: c.req.raw.signal };
      return c.json(await registry.logs.wait(id, { limit, after }, waiting));
    },
  );

export const serverOperationRoutes = (admin: AdminContext): readonly Endpoint[] => [restart(admin), logs(admin)];
