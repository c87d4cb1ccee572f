import { oauthCallbackAnswer, PlugboardError, toPlugboardError, type OAuthCallbackAnswer } from '@plugboard/contract';
import { z } from 'zod';
import { LoginFailed } from '../../oauth/login-desk.js';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { callbackPage } from '../view/callback-page.js';

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
};

const complete = async ({ registry }: AdminContext, query: URLSearchParams): Promise<OAuthCallbackAnswer> => {
  if (registry.logins === undefined) return { status: 'error', message: 'This hub does not log in to servers.' };
  try {
    const session = await registry.logins.complete(query);
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

const clientDocument = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'clientMetadata',
      method: 'get',
      path: '/v1/oauth/client-metadata.json',
      tag: 'oauth',
      summary: 'Who this hub is to authorization servers',
      description:
        'A Client ID Metadata Document; its URL is the client id. Served when the hub has a public https URL.',
      answers: { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } },
      errors: ['NOT_FOUND'],
    },
    (_input, c) => {
      const document = registry.logins?.clientDocument;
      if (document === undefined) throw new PlugboardError('NOT_FOUND', 'This hub has no client metadata of its own.');
      return c.json(document);
    },
  );

/** Where browsers come back to. It answers 200 whatever happened, as Letta's clients expect. */
export const oauthCallbackRoutes = (admin: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'completeLogin',
      method: 'get',
      path: '/v1/tools/mcp/oauth/callback',
      tag: 'oauth',
      summary: 'Come back from a login',
      description:
        'The authorization server sends the browser here with `code`, `state` and `iss`, or with `error`. A state works once. Browsers get a page, programs get JSON.',
      openQuery: true,
      answers: { 200: { description: 'How the login ended.', schema: oauthCallbackAnswer } },
      errors: [],
    },
    async (_input, c) => {
      const answer = await complete(admin, new URL(c.req.url).searchParams);
      return c.req.header('accept')?.includes('text/html') === true
        ? c.body(callbackPage(answer), 200, PAGE_HEADERS)
        : c.json(answer);
    },
  ),
  clientDocument(admin),
];
