import {
  loginUserOf,
  pageQuery,
  serverCreate,
  serverUpdate,
  serverView as serverViewSchema,
  type ServerType,
} from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { principalOf } from '../endpoint/admission.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { answerPage, pageOf, pagedAnswer } from '../paging.js';
import { serverView } from '../view/server-view.js';
import { factsFrom } from './server-lookup.js';
import { isJsonObject } from '@plugboard/base';

/** Letta's clients may leave the kind of server out of a change: it is the one that the server has. */
const completeServerUpdate = (body: unknown, type: ServerType): unknown =>
  isJsonObject(body) && isJsonObject(body['config']) && body['config']['mcp_server_type'] === undefined
    ? { ...body, config: { ...body['config'], mcp_server_type: type } }
    : body;

const one = '/v1/mcp-servers/{mcp_server_id}';

const create = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'createServer',
      method: 'post',
      path: '/v1/mcp-servers',
      tag: 'servers',
      summary: 'Register a server',
      description:
        'Stores the server, then reads its tools. A server that is down, or whose templates use variables without a value, is still registered: `sync` in the response reports the outcome for each tool, and `missing_variables` lists the variables without a value.',
      body: serverCreate,
      bodyExample: {
        server_name: 'weather',
        config: {
          mcp_server_type: 'streamable_http',
          server_url: 'https://weather.example/mcp',
          auth_header: 'X-API-Key',
          auth_token: 'secret',
        },
      },
      answers: { 200: { description: 'The server, and the report of its first sync.', schema: serverViewSchema } },
      errors: ['CONFLICT', 'STDIO_DISABLED', 'URL_REFUSED'],
    },
    async ({ body }, c) => {
      const { server, sync } = await registry.registerServer(body, { user: loginUserOf(principalOf(c)) });
      return c.json(serverView(server, { ...factsFrom(registry)(server), sync }));
    },
  );

const list = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listServers',
      method: 'get',
      path: '/v1/mcp-servers',
      tag: 'servers',
      summary: 'List servers',
      description: 'Returns all entries, or one page if `limit` is given.',
      query: pageQuery,
      answers: pagedAnswer('The servers.', serverViewSchema),
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const page = await pageOf((part) => registry.listServers(part), query);
      const facts = factsFrom(registry);
      return answerPage(c, page, (server) => serverView(server, facts(server)));
    },
  );

const retrieve = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'retrieveServer',
      method: 'get',
      path: one,
      tag: 'servers',
      summary: 'Show a server',
      description: 'Secret values are masked; the last four characters of long ones stay visible.',
      answers: { 200: { description: 'The server.', schema: serverViewSchema } },
      errors: ['SERVER_NOT_FOUND'],
    },
    async ({ params }, c) => {
      const server = await registry.getServer(params.mcp_server_id);
      return c.json(serverView(server, factsFrom(registry)(server)));
    },
  );

const update = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'updateServer',
      method: 'patch',
      path: one,
      tag: 'servers',
      summary: 'Change a server',
      description:
        'Omitted members do not change. Neither do masked secrets that are sent back. `mcp_server_type` cannot be changed and may be omitted.',
      body: serverUpdate,
      bodyExample: { config: { mcp_server_type: 'streamable_http', auth_token: 'a new secret' } },
      answers: { 200: { description: 'The changed server.', schema: serverViewSchema } },
      errors: ['SERVER_NOT_FOUND', 'CONFLICT', 'INVALID_ARGUMENT', 'STDIO_DISABLED', 'URL_REFUSED'],
    },
    async ({ params, body }, c) => {
      const server = await registry.updateServer(params.mcp_server_id, body);
      return c.json(serverView(server, factsFrom(registry)(server)));
    },
    {
      completeBody: async (body, params) =>
        completeServerUpdate(body, (await registry.getServer(params.mcp_server_id)).config.mcp_server_type),
    },
  );

const remove = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'deleteServer',
      method: 'delete',
      path: one,
      tag: 'servers',
      summary: 'Delete a server and its tools',
      answers: { 204: { description: 'Deleted.' } },
      errors: ['SERVER_NOT_FOUND'],
    },
    async ({ params }, c) => {
      await registry.deleteServer(params.mcp_server_id);
      return c.body(null, 204);
    },
  );

export const serverRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [create, list, retrieve, update, remove].map((route) => route(admin));
