import {
  loginUserOf,
  namedServer,
  namedServerUpdate,
  namedServerView as namedServerViewSchema,
} from '@plugboard/contract';
import { z } from 'zod';
import type { Registry } from '../../facade/registry.js';
import type { AdminContext } from '../admin-context.js';
import { principalOf } from '../endpoint/admission.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { fromNamedUpdate } from '../input/named-update.js';
import { allPages } from '../paging.js';
import { namedServerView, toServerCreate } from '../view/named-server-view.js';
import { serverByName } from './server-lookup.js';

const all = '/v1/tools/mcp/servers';
const one = `${all}/{mcp_server_name}` as const;

const everyServer = async (registry: Registry) =>
  (await allPages((page) => registry.listServers(page))).map((server) =>
    namedServerView(server, registry.missingVariables(server)),
  );

const list = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listNamedServers',
      method: 'get',
      path: all,
      tag: 'named',
      summary: 'All servers by name',
      answers: { 200: { description: 'Name to server.', schema: z.record(z.string(), namedServerViewSchema) } },
      errors: [],
    },
    async (_input, c) => {
      const servers = await everyServer(registry);
      return c.json(Object.fromEntries(servers.map((server) => [server.server_name, server])));
    },
  );

const create = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'createNamedServer',
      method: 'put',
      path: all,
      tag: 'named',
      summary: 'Register a server',
      description: 'Like `POST /v1/mcp-servers`, in the flat form. Returns all servers.',
      body: namedServer,
      bodyExample: { server_name: 'files', type: 'stdio', command: 'npx', args: ['-y', 'some-mcp-server'] },
      answers: { 200: { description: 'All servers, including the new one.', schema: z.array(namedServerViewSchema) } },
      errors: ['CONFLICT', 'STDIO_DISABLED', 'URL_REFUSED'],
    },
    async ({ body }, c) => {
      await registry.registerServer(toServerCreate(body), { user: loginUserOf(principalOf(c)) });
      return c.json(await everyServer(registry));
    },
  );

const update = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'updateNamedServer',
      method: 'patch',
      path: one,
      tag: 'named',
      summary: 'Change a server',
      body: namedServerUpdate,
      bodyExample: { auth_token: 'a new secret' },
      answers: { 200: { description: 'The changed server.', schema: namedServerViewSchema } },
      errors: ['SERVER_NOT_FOUND', 'CONFLICT', 'INVALID_ARGUMENT', 'STDIO_DISABLED', 'URL_REFUSED'],
    },
    async ({ params, body }, c) => {
      const { id, config } = await serverByName(registry, params.mcp_server_name);
      const changed = await registry.updateServer(id, fromNamedUpdate(body, config));
      return c.json(namedServerView(changed, registry.missingVariables(changed)));
    },
  );

const remove = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'deleteNamedServer',
      method: 'delete',
      path: one,
      tag: 'named',
      summary: 'Delete a server and its tools',
      answers: { 200: { description: 'The servers that remain.', schema: z.array(namedServerViewSchema) } },
      errors: ['SERVER_NOT_FOUND'],
    },
    async ({ params }, c) => {
      await registry.deleteServer((await serverByName(registry, params.mcp_server_name)).id);
      return c.json(await everyServer(registry));
    },
  );

export const namedServerRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [list, create, update, remove].map((route) => route(admin));
