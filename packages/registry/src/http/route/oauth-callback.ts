import { cookiesIn } from '@plugboard/base';
import { oauthCallbackAnswer, PlugboardError, toPlugboardError, type OAuthCallbackAnswer } from '@plugboard/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { LoginFailed } from '../../login/login-desk.js';
import type { LoginArrival } from '../../login/server-logins.js';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { provenHolders } from '../endpoint/on-behalf.js';
import { callbackPage, LOGIN_PAGE_HEADERS } from '../view/login-page.js';

const complete = async (
  { registry }: AdminContext,
  query: URLSearchParams,
  arrival: LoginArrival,
): Promise<OAuthCallbackAnswer> => {
  if (registry.logins === undefined) return { status: 'error', message: 'This hub does not log in to servers.' };
  try {
    const session = await registry.logins.complete(query, arrival);
    return {
      status: 'success',
      message: `You are logged in to "${session.server_name}". You can close this window.`,
      server_url: session.server_url,
    };
  } catch (thrown) {
    const url = thrown instanceof LoginFailed ? { server_url: thrown.login.serverUrl } : {};
    return { status: 'error', message: toPlugboardError(thrown).message, ...url };
  }
};

/** Where browsers come back to. It answers 200 whatever happened, as Letta's clients expect. */
const comeBack = async (admin: AdminContext, c: Context, issuerId: string | undefined): Promise<Response> => {
  const arrival = { issuerId, cookies: cookiesIn(c.req.header('cookie')), holders: provenHolders(c) };
  const answer = await complete(admin, new URL(c.req.url).searchParams, arrival);
  return c.req.header('accept')?.includes('text/html') === true
    ? c.body(callbackPage(answer), 200, LOGIN_PAGE_HEADERS)
    : c.json(answer);
};

const DESCRIPTION =
  'The authorization server sends the browser here with `code`, `state` and `iss`, or with `error`. A state works once, and only for the browser that started the login at its `authorization_url`, or with the credentials of the caller who started it. Browsers get a page, programs get JSON.';

const ANSWERS = { 200: { description: 'The outcome of the login.', schema: oauthCallbackAnswer } };

const noDocument = (): PlugboardError => new PlugboardError('NOT_FOUND', 'This hub has no client metadata document.');

const DOCUMENT = { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } };

const documents = ({ registry }: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'clientMetadata',
      method: 'get',
      path: '/v1/oauth/client-metadata.json',
      tag: 'oauth',
      summary: 'OAuth client metadata of the hub',
      description:
        'A Client ID Metadata Document; its URL is the client id. Served when the hub has a public https URL.',
      answers: DOCUMENT,
      errors: ['NOT_FOUND'],
    },
    (_input, c) => {
      const document = registry.logins?.clientDocument();
      if (document === undefined) throw noDocument();
      return c.json(document);
    },
  ),
  endpoint(
    {
      id: 'clientMetadataOfIssuer',
      method: 'get',
      path: '/v1/oauth/client-metadata/{issuer}',
      tag: 'oauth',
      summary: 'OAuth client metadata of the hub for one issuer',
      description: 'The same for one issuer, with the callback of its logins.',
      answers: DOCUMENT,
      errors: ['NOT_FOUND'],
    },
    ({ params }, c) => {
      const document = registry.logins?.clientDocument(params.issuer);
      if (document === undefined) throw noDocument();
      return c.json(document);
    },
  ),
];

export const oauthCallbackRoutes = (admin: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'completeLogin',
      method: 'get',
      path: '/v1/tools/mcp/oauth/callback',
      tag: 'oauth',
      summary: 'Callback of a login',
      description: DESCRIPTION,
      openQuery: true,
      answers: ANSWERS,
      errors: [],
    },
    (_input, c) => comeBack(admin, c, undefined),
  ),
  endpoint(
    {
      id: 'completeLoginOfIssuer',
      method: 'get',
      path: '/v1/tools/mcp/oauth/callback/{issuer}',
      tag: 'oauth',
      summary: 'Callback of a login at one authorization server',
      description: `Each issuer has its own callback. ${DESCRIPTION}`,
      openQuery: true,
      answers: ANSWERS,
      errors: [],
    },
    ({ params }, c) => comeBack(admin, c, params.issuer),
  ),
  ...documents(admin),
];
