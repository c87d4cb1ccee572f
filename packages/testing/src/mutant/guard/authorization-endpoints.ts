import { createHash, randomBytes } from 'node:crypto';
import { isObject, type JsonObject } from '../../json-rpc/message.js';
import { parseObject } from '../mutation/filter.js';
import type { HttpAnswered, HttpAsked } from '../mutation/mutation.js';
import type { Protection } from '../mutation/protection.js';
import type { CodeGrant, TokenBook } from './token-book.js';

export type Answered = HttpAnswered & { readonly body: string };

interface Desk {
  readonly book: TokenBook;
  readonly protection: Protection;
  /** Scheme, host and port. */
  readonly base: string;
}

const CORS = { 'access-control-allow-origin': '*' };
const LIFETIME_S = 3_600;

export const json = (status: number, body: JsonObject, headers: Readonly<Record<string, string>> = {}): Answered => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const wrong = (error: string, status = 400): Answered => json(status, { error }, { 'cache-control': 'no-store' });

export const serverMetadata = (base: string): JsonObject => ({
  issuer: base,
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
  registration_endpoint: `${base}/register`,
  scopes_supported: ['mcp:read', 'mcp:call', 'offline_access'],
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
});

const isLocal = (uri: string): boolean => /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?\//u.test(uri);

const register = ({ book, protection }: Desk, asked: HttpAsked): Answered => {
  const given = parseObject(asked.body)?.['redirect_uris'];
  const uris = Array.isArray(given) ? given.map(String) : [];
  const safe = uris.length > 0 && uris.every((uri) => uri.startsWith('https://') || isLocal(uri));
  if (!safe && protection.registersAnything !== true) return wrong('invalid_redirect_uri');
  const clientId = randomBytes(8).toString('hex');
  book.clients.set(clientId, uris);
  return json(201, { client_id: clientId, redirect_uris: uris, token_endpoint_auth_method: 'none' });
};

/** Where the browser goes with an answer. */
const back = (desk: Desk, redirectUri: string, query: Readonly<Record<string, string | null>>): Answered => {
  const url = new URL(redirectUri);
  const iss = desk.protection.omitsIssuer === true ? {} : { iss: desk.base };
  for (const [name, value] of Object.entries({ ...query, ...iss })) {
    if (value !== null) url.searchParams.set(name, value);
  }
  return { status: 302, headers: { location: url.href }, body: '' };
};

/** Nobody is asked: this server consents at once. */
const authorize = (desk: Desk, asked: HttpAsked): Answered => {
  const { book, protection } = desk;
  const query = new URL(asked.path, desk.base).searchParams;
  const clientId = query.get('client_id') ?? '';
  const redirectUri = query.get('redirect_uri') ?? '';
  const known = book.clients.get(clientId);
  const unknownUrl = known === undefined && /^https?:/u.test(clientId) && protection.takesAnyClientUrl === true;
  if (known === undefined && !unknownUrl) return wrong('invalid_client');
  const fits = unknownUrl || known?.includes(redirectUri) === true || protection.redirectsAnywhere === true;
  if (!fits || !URL.canParse(redirectUri)) return wrong('invalid_request');
  const state = query.get('state');
  const challenge = query.get('code_challenge') ?? undefined;
  const method = query.get('code_challenge_method');
  const pkce = challenge !== undefined && method === 'S256';
  if (!pkce && protection.ignoresPkce !== true) return back(desk, redirectUri, { error: 'invalid_request', state });
  const resource = query.get('resource') ?? `${desk.base}/mcp`;
  if (query.has('resource') && protection.refusesResource === true) {
    return back(desk, redirectUri, { error: 'invalid_target', state });
  }
  return back(desk, redirectUri, { code: book.code({ clientId, redirectUri, challenge, resource }), state });
};

const verified = ({ challenge }: CodeGrant, verifier: string | null, { protection }: Desk): boolean =>
  protection.verifiesNothing === true ||
  (challenge === undefined
    ? protection.ignoresPkce === true
    : createHash('sha256')
        .update(verifier ?? '')
        .digest('base64url') === challenge);

const issue = ({ book }: Desk, grant: CodeGrant, refreshToken: string): Answered => {
  const exp = Math.floor(Date.now() / 1_000) + LIFETIME_S;
  const scope = 'mcp:read mcp:call';
  const accessToken = book.mint({ sub: 'carol', aud: grant.resource, scope, exp });
  const tokens = { access_token: accessToken, token_type: 'Bearer', expires_in: LIFETIME_S, scope };
  return json(200, { ...tokens, refresh_token: refreshToken }, { 'cache-control': 'no-store' });
};

const exchange = (desk: Desk, form: URLSearchParams): Answered => {
  const { book, protection } = desk;
  const code = form.get('code') ?? '';
  const grant = book.codes.get(code);
  if (protection.reusesCodes !== true) book.codes.delete(code);
  if (grant === undefined || grant.clientId !== form.get('client_id')) return wrong('invalid_grant');
  const sameUri = grant.redirectUri === (form.get('redirect_uri') ?? grant.redirectUri);
  if (!sameUri || !verified(grant, form.get('code_verifier'), desk)) return wrong('invalid_grant');
  return issue(desk, grant, book.refreshToken(grant));
};

const refresh = (desk: Desk, form: URLSearchParams): Answered => {
  const { book, protection } = desk;
  const token = form.get('refresh_token') ?? '';
  const grant = book.refreshTokens.get(token);
  if (grant === undefined || grant.clientId !== form.get('client_id')) return wrong('invalid_grant');
  if (protection.keepsRefreshTokens === true) return issue(desk, grant, token);
  book.refreshTokens.delete(token);
  return issue(desk, grant, book.refreshToken(grant));
};

const token = (desk: Desk, asked: HttpAsked): Answered => {
  const form = new URLSearchParams(asked.body);
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchange(desk, form);
    case 'refresh_token':
      return refresh(desk, form);
    default:
      return wrong('unsupported_grant_type');
  }
};

/** What the authorization server answers; undefined for what is not its own. */
export const authorizationAnswer = (desk: Desk, asked: HttpAsked): Answered | undefined => {
  const { pathname } = new URL(asked.path, desk.base);
  const { protection } = desk;
  const wellKnown = protection.discovery === 'openid' ? 'openid-configuration' : 'oauth-authorization-server';
  switch (pathname) {
    case `/.well-known/${wellKnown}`: {
      const document = serverMetadata(desk.base);
      return json(200, protection.serverMetadata?.(document) ?? document, CORS);
    }
    case '/register':
      return register(desk, asked);
    case '/authorize':
      return authorize(desk, asked);
    case '/token':
      return token(desk, asked);
    default:
      return undefined;
  }
};

export const resourceMetadata = ({ base, protection }: Desk): Answered => {
  const document = {
    resource: `${base}/mcp`,
    authorization_servers: [base],
    scopes_supported: ['mcp:read', 'mcp:call'],
    bearer_methods_supported: ['header'],
  };
  const changed: unknown = protection.resourceMetadata?.(document) ?? document;
  return json(200, isObject(changed) ? changed : document, CORS);
};
