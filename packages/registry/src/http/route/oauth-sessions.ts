import {
  oauthSession,
  oauthSessionCreate,
  oauthSessionFilter,
  oauthSessionOwner,
  oauthSessionQuery,
  PlugboardError,
} from '@plugboard/contract';
import { z } from 'zod';
import type { ServerLogins } from '../../login/server-logins.js';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { behalfOf, holderFor, holdersOf } from '../endpoint/on-behalf.js';
import { serverGivenTo } from './server-lookup.js';

const loginsOf = ({ registry }: AdminContext): ServerLogins => {
  if (registry.logins !== undefined) return registry.logins;
  throw new PlugboardError('PERMISSION_DENIED', 'This hub does not log in to servers.');
};

const begin = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'beginLogin',
      method: 'post',
      path: '/v1/oauth/sessions',
      tag: 'oauth',
      summary: 'Start a login to a server',
      description:
        'Discovers the authorization server and returns the URL that a person must open. If a login is already pending, that one is returned. Agents log in for themselves. Operators log in for the hub, for an agent that they name, or for themselves if logins are `per-user`.',
      body: oauthSessionCreate,
      bodyExample: { server_id: 'mcp_server-00000000-0000-4000-8000-000000000000' },
      answers: {
        201: { description: 'The session. Open its `authorization_url` in a browser.', schema: oauthSession },
      },
      errors: [
        'SERVER_NOT_FOUND',
        'NOT_FOUND',
        'INVALID_ARGUMENT',
        'AUTH_REQUIRED',
        'AUTH_SERVER_UNAVAILABLE',
        'UPSTREAM_AUTH',
      ],
    },
    async ({ body }, c) => {
      const server = await serverGivenTo(admin.registry, c, body.server_id);
      const holder = holderFor(server, await behalfOf(admin.registry, c, body.agent_id));
      const options = { redirectUri: body.redirect_uri, signal: c.req.raw.signal, holder };
      return c.json(await loginsOf(admin).start(server, options), 201);
    },
  );

const list = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listLogins',
      method: 'get',
      path: '/v1/oauth/sessions',
      tag: 'oauth',
      summary: 'List logins',
      query: oauthSessionFilter,
      description: 'The logins of the caller, or of the named agent. They are visible to no one else.',
      answers: { 200: { description: 'The sessions, the newest first.', schema: z.array(oauthSession) } },
      errors: ['NOT_FOUND'],
    },
    async ({ query }, c) => {
      const holders = holdersOf(await behalfOf(admin.registry, c, query.agent_id));
      return c.json([...(await loginsOf(admin).sessions(query.server_id, holders))]);
    },
  );

const look = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'getLogin',
      method: 'get',
      path: '/v1/oauth/sessions/{session_id}',
      tag: 'oauth',
      summary: 'Show the state of a login',
      query: oauthSessionQuery,
      answers: { 200: { description: 'The session.', schema: oauthSession } },
      errors: ['NOT_FOUND'],
    },
    async ({ params, query }, c) => {
      const holders = holdersOf(await behalfOf(admin.registry, c, query.agent_id));
      const wait = { ms: query.wait_ms ?? 0, signal: c.req.raw.signal, holders };
      return c.json(await loginsOf(admin).wait(params.session_id, wait));
    },
  );

const end = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'endLogin',
      method: 'delete',
      path: '/v1/oauth/sessions/{session_id}',
      tag: 'oauth',
      summary: 'End a login',
      description:
        'A pending login can no longer be completed. The tokens of a completed login are deleted, and revoked if the authorization server supports revocation.',
      query: oauthSessionOwner,
      answers: { 204: { description: 'The login has ended.' } },
      errors: ['NOT_FOUND'],
    },
    async ({ params, query }, c) => {
      await loginsOf(admin).end(params.session_id, holdersOf(await behalfOf(admin.registry, c, query.agent_id)));
      return c.body(null, 204);
    },
  );

const logout = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'logoutServer',
      method: 'delete',
      path: '/v1/mcp-servers/{mcp_server_id}/oauth',
      tag: 'oauth',
      summary: 'Log out of a server',
      description:
        'Deletes the tokens for the server, and revokes them if the authorization server supports revocation.',
      query: oauthSessionOwner,
      answers: {
        200: { description: 'Whether there was a login to delete.', schema: z.object({ logged_out: z.boolean() }) },
      },
      errors: ['SERVER_NOT_FOUND', 'NOT_FOUND'],
    },
    async ({ params, query }, c) => {
      const server = await serverGivenTo(admin.registry, c, params.mcp_server_id);
      const holder = holderFor(server, await behalfOf(admin.registry, c, query.agent_id));
      return c.json({ logged_out: await loginsOf(admin).logout(server, holder) });
    },
  );

export const oauthSessionRoutes = (admin: AdminContext): readonly Endpoint[] => [
  begin(admin),
  list(admin),
  look(admin),
  end(admin),
  logout(admin),
];
