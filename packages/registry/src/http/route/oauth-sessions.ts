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
      summary: 'Begin a login to a server',
      description:
        'Finds out where the server wants its callers to log in and answers with the URL for a person to open. A login that waits already is handed out again. Agents log in for themselves; those who operate the hub for the hub, for an agent that they name, or, where logins are `per-user`, for themselves.',
      body: oauthSessionCreate,
      bodyExample: { server_id: 'mcp_server-00000000-0000-4000-8000-000000000000' },
      answers: { 201: { description: 'The session; `authorization_url` is where to go.', schema: oauthSession } },
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
      description: 'Those of the caller, or of the agent that is named. Nobody else sees them.',
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
      summary: 'See how a login stands',
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
        'A login that waits can no longer be completed. Of one that was completed the tokens are taken back at the authorization server, as far as it offers that, and forgotten.',
      query: oauthSessionOwner,
      answers: { 204: { description: 'It is over.' } },
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
        'Takes the tokens for the server back, as far as its authorization server offers that, and forgets them.',
      query: oauthSessionOwner,
      answers: {
        200: { description: 'Whether there was anything to forget.', schema: z.object({ logged_out: z.boolean() }) },
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
