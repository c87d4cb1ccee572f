import {
  oauthSession,
  oauthSessionCreate,
  oauthSessionFilter,
  oauthSessionQuery,
  PlugboardError,
} from '@plugboard/contract';
import { z } from 'zod';
import type { ServerLogins } from '../../oauth/server-logins.js';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';

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
        'Finds out where the server wants its callers to log in and answers with the URL for a person to open. A login that waits already is handed out again.',
      body: oauthSessionCreate,
      bodyExample: { server_id: 'mcp_server-00000000-0000-4000-8000-000000000000' },
      answers: { 201: { description: 'The session; `authorization_url` is where to go.', schema: oauthSession } },
      errors: ['SERVER_NOT_FOUND', 'INVALID_ARGUMENT', 'AUTH_REQUIRED', 'AUTH_SERVER_UNAVAILABLE', 'UPSTREAM_AUTH'],
    },
    async ({ body }, c) => {
      const server = await admin.registry.getServer(body.server_id);
      const signal = c.req.raw.signal;
      return c.json(await loginsOf(admin).start(server, { redirectUri: body.redirect_uri, signal }), 201);
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
      answers: { 200: { description: 'The sessions, the newest first.', schema: z.array(oauthSession) } },
      errors: [],
    },
    async ({ query }, c) => c.json([...(await loginsOf(admin).sessions(query.server_id))]),
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
      const logins = loginsOf(admin);
      await logins.session(params.session_id);
      return c.json(await logins.wait(params.session_id, query.wait_ms ?? 0, c.req.raw.signal));
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
      answers: { 204: { description: 'It is over.' } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => {
      await loginsOf(admin).end(params.session_id);
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
      answers: {
        200: { description: 'Whether there was anything to forget.', schema: z.object({ logged_out: z.boolean() }) },
      },
      errors: ['SERVER_NOT_FOUND'],
    },
    async ({ params }, c) => {
      const server = await admin.registry.getServer(params.mcp_server_id);
      return c.json({ logged_out: await loginsOf(admin).logout(server) });
    },
  );

export const oauthSessionRoutes = (admin: AdminContext): readonly Endpoint[] => [
  begin(admin),
  list(admin),
  look(admin),
  end(admin),
  logout(admin),
];
