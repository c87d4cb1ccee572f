import { isObject, type JsonObject } from '../json-rpc/message.js';
import { parseObject } from './mutation/filter.js';
import type { Protection, TokenClaims } from './mutation/protection.js';
import { changeResult, defineMutant, without, type Mutant } from './mutant.js';
import type { HttpAnswered, HttpAsked, Mutation } from './mutation/mutation.js';
import { paramsOf } from './params.js';
import { withTasks } from './reference-tasks.js';

const guardedBy = (protection: Protection): Mutation => ({ protection });

const methodOf = ({ body }: HttpAsked): string => String(parseObject(body)?.['method']);

const changeHeader =
  (change: (challenge: string) => string): NonNullable<Protection['refusal']> =>
  ({ status, headers }) => ({
    status,
    headers: { ...headers, 'www-authenticate': change(headers['www-authenticate'] ?? '') },
  });

const withoutHeader =
  (name: string): NonNullable<Protection['answer']> =>
  ({ headers, ...answered }, path) => ({
    ...answered,
    headers:
      path === '/token' || path.startsWith('/.well-known/')
        ? (without(headers, name) as HttpAnswered['headers'])
        : headers,
  });

const isAlive = (claims: TokenClaims | undefined): claims is TokenClaims =>
  claims !== undefined && claims.exp * 1_000 > Date.now();

/** The payload of a token, without verification. */
const unverified = ({ headers }: HttpAsked): JsonObject | undefined => {
  const [, body] = (headers['authorization'] ?? '').replace(/^Bearer /u, '').split('.');
  return body === undefined ? undefined : parseObject(Buffer.from(body, 'base64url').toString('utf8'));
};

const USER = 'example.com/user';

/** One tool less for one of the users, and everybody may keep the list. */
const listsByUser: Mutation = {
  protection: {},
  options: (options) => ({ ...options, cacheScope: 'public' }),
  http: {
    request: (asked) => {
      const message = parseObject(asked.body);
      if (message?.['method'] !== 'tools/list') return asked;
      const params = paramsOf(message);
      const meta = isObject(params['_meta']) ? params['_meta'] : {};
      const named = { ...message, params: { ...params, _meta: { ...meta, [USER]: unverified(asked)?.['sub'] } } };
      return { ...asked, body: JSON.stringify(named) };
    },
  },
  toClient: changeResult('tools/list', (result, { request }) => {
    const meta = paramsOf(request)['_meta'];
    const tools = Array.isArray(result['tools']) ? result['tools'] : [];
    return isObject(meta) && meta[USER] === 'bob' ? { ...result, tools: tools.slice(1) } : result;
  }),
};

const atDoor: readonly Mutant[] = [
  defineMutant({
    name: 'stranger-is-forbidden',
    kills: 'AUT-01',
    defect: 'A request without a token is answered with 403.',
    mutation: guardedBy({ refusal: ({ status, headers }) => ({ status: status === 401 ? 403 : status, headers }) }),
    alsoKills: ['AUT-10', 'AUT-11'],
  }),
  defineMutant({
    name: 'stranger-is-not-challenged',
    kills: 'AUT-01',
    defect: 'The refusal of a request without a token has no WWW-Authenticate.',
    mutation: guardedBy({ refusal: ({ status }) => ({ status, headers: {} }) }),
  }),
  defineMutant({
    name: 'metadata-is-nowhere',
    kills: 'AUT-02',
    defect: 'Neither the challenge nor a well-known address leads to the metadata.',
    mutation: guardedBy({
      refusal: changeHeader((text) => text.replace(/resource_metadata="[^"]*", /u, '')),
      answer: (answered, path) =>
        path.startsWith('/.well-known/oauth-protected-resource')
          ? { status: 404, headers: {}, body: 'Not found' }
          : answered,
    }),
  }),
  defineMutant({
    name: 'challenge-leads-nowhere',
    kills: 'AUT-02',
    doubtful: true,
    defect: 'The challenge names a path instead of the URL of the metadata.',
    mutation: guardedBy({
      refusal: changeHeader((text) => text.replace(/resource_metadata="[^"]*"/u, 'resource_metadata="/metadata"')),
    }),
  }),
  defineMutant({
    name: 'token-in-the-query',
    kills: 'AUT-12',
    defect: 'A token in the query of the address is accepted.',
    mutation: guardedBy({ accepts: ({ path }) => path.includes('access_token=') }),
  }),
  defineMutant({
    name: 'unsigned-tokens-count',
    kills: 'AUT-11',
    defect: 'The signature of tokens is not verified.',
    mutation: guardedBy({
      accepts: (asked, claims) => claims === undefined && unverified(asked)?.['exp'] !== undefined,
    }),
  }),
  defineMutant({
    name: 'expired-tokens-count',
    kills: 'AUT-11',
    defect: 'Tokens never expire.',
    mutation: guardedBy({ accepts: (_asked, claims) => claims !== undefined && claims.exp * 1_000 <= Date.now() }),
  }),
  defineMutant({
    name: 'any-audience-counts',
    kills: 'AUT-10',
    defect: 'Tokens for other servers are accepted.',
    mutation: guardedBy({ accepts: (_asked, claims) => isAlive(claims) && claims.aud.startsWith('https://other.') }),
  }),
  defineMutant({
    name: 'session-is-a-token',
    kills: 'AUT-13',
    defect: 'A client that was served once needs no token afterwards.',
    mutation: guardedBy({
      accepts: (asked) => asked.body.includes('stranger') && /ping|discover/u.test(methodOf(asked)),
    }),
  }),
  defineMutant({
    name: 'lists-are-public',
    kills: 'AUT-15',
    defect: 'Tools are listed for everybody.',
    mutation: guardedBy({ accepts: (asked) => methodOf(asked) === 'tools/list' }),
    alsoKills: ['HTP-18'],
  }),
  defineMutant({
    name: 'scope-is-not-named',
    kills: 'AUT-14',
    defect: 'A token without the scope is refused with 401.',
    mutation: guardedBy({ refusal: ({ headers }) => ({ status: 401, headers }) }),
  }),
];

const inMetadata: readonly Mutant[] = [
  defineMutant({
    name: 'metadata-of-another-resource',
    kills: 'AUT-03',
    defect: 'The metadata names another server as resource.',
    mutation: guardedBy({ resourceMetadata: (document) => ({ ...document, resource: 'https://other.example/mcp' }) }),
  }),
  defineMutant({
    name: 'no-authorization-server',
    kills: 'AUT-04',
    defect: 'The metadata names no authorization server.',
    mutation: guardedBy({ resourceMetadata: (document) => without(document, 'authorization_servers') }),
  }),
  defineMutant({
    name: 'offline-access-is-a-scope',
    kills: 'AUT-26',
    defect: 'The metadata of the resource has the scope offline_access.',
    mutation: guardedBy({
      resourceMetadata: (document) => ({ ...document, scopes_supported: ['mcp:read', 'offline_access'] }),
    }),
  }),
  defineMutant({
    name: 'issuer-without-metadata',
    kills: 'AUT-05',
    defect: 'The authorization server publishes nothing about itself.',
    mutation: guardedBy({
      answer: (answered, path) =>
        path.includes('oauth-authorization-server') ? { ...answered, status: 404, body: '' } : answered,
    }),
  }),
  defineMutant({
    name: 'metadata-of-another-issuer',
    kills: 'AUT-06',
    defect: 'The metadata names another issuer.',
    mutation: guardedBy({ serverMetadata: (document) => ({ ...document, issuer: `${String(document['issuer'])}/` }) }),
  }),
  defineMutant({
    name: 'openid-without-pkce',
    kills: 'AUT-07',
    defect: 'The metadata by OpenID Connect Discovery does not say that S256 is supported.',
    mutation: guardedBy({
      discovery: 'openid',
      serverMetadata: (document) => without(document, 'code_challenge_methods_supported'),
    }),
  }),
  defineMutant({
    name: 'pkce-is-not-advertised',
    kills: 'AUT-07',
    defect: 'The metadata by RFC 8414 does not say that S256 is supported.',
    doubtful: true,
    mutation: guardedBy({ serverMetadata: (document) => without(document, 'code_challenge_methods_supported') }),
  }),
  defineMutant({
    name: 'endpoint-in-the-clear',
    kills: 'AUT-22',
    defect: 'The revocation endpoint is served over http.',
    mutation: guardedBy({
      serverMetadata: (document) => ({ ...document, revocation_endpoint: 'http://auth.example/revoke' }),
    }),
  }),
  defineMutant({
    name: 'metadata-not-for-browsers',
    kills: 'AUT-24',
    defect: 'Pages of other origins may not read the metadata.',
    mutation: guardedBy({ answer: withoutHeader('access-control-allow-origin') }),
  }),
];

const atIssuer: readonly Mutant[] = [
  defineMutant({
    name: 'code-without-challenge',
    kills: 'AUT-08',
    defect: 'Codes are given without PKCE.',
    mutation: guardedBy({ ignoresPkce: true }),
  }),
  defineMutant({
    name: 'any-verifier-fits',
    kills: 'AUT-08',
    defect: 'The verifier is not compared with the challenge.',
    mutation: guardedBy({ verifiesNothing: true }),
  }),
  defineMutant({
    name: 'resource-is-refused',
    kills: 'AUT-09',
    defect: 'A request that names a resource is refused.',
    mutation: guardedBy({ refusesResource: true }),
  }),
  defineMutant({
    name: 'registers-anything',
    kills: 'AUT-16',
    defect: 'Clients may register any redirect URI.',
    mutation: guardedBy({ registersAnything: true }),
  }),
  defineMutant({
    name: 'believes-any-client-address',
    kills: 'AUT-17',
    defect: 'Every client_id that is a URL is accepted unread.',
    mutation: guardedBy({ takesAnyClientUrl: true }),
  }),
  defineMutant({
    name: 'redirects-anywhere',
    kills: 'AUT-18',
    defect: 'Redirect URIs are not compared with the registered ones.',
    mutation: guardedBy({ redirectsAnywhere: true }),
  }),
  defineMutant({
    name: 'code-is-good-twice',
    kills: 'AUT-19',
    defect: 'A code can be exchanged again and again.',
    mutation: guardedBy({ reusesCodes: true }),
  }),
  defineMutant({
    name: 'refresh-token-lives-on',
    kills: 'AUT-20',
    defect: 'A refresh token never changes.',
    mutation: guardedBy({ keepsRefreshTokens: true }),
  }),
  defineMutant({
    name: 'redirect-without-issuer',
    kills: 'AUT-21',
    defect: 'The redirect does not name the issuer.',
    mutation: guardedBy({ omitsIssuer: true }),
  }),
  defineMutant({
    name: 'tokens-may-be-stored',
    kills: 'AUT-23',
    defect: 'The answer with tokens may be cached.',
    mutation: guardedBy({ answer: withoutHeader('cache-control') }),
  }),
];

const betweenUsers: readonly Mutant[] = [
  defineMutant({
    name: 'token-goes-upstream',
    kills: 'AUT-25',
    defect: 'The server asks its upstream with the token of the client.',
    mutation: guardedBy({ passesToken: true }),
  }),
  defineMutant({
    name: 'state-is-for-everybody',
    kills: 'AUT-27',
    defect: 'The state of one user is accepted from another.',
    mutation: guardedBy({ sharesHandles: 'state' }),
  }),
  defineMutant({
    name: 'private-list-is-public',
    kills: 'AUT-28',
    defect: 'A list that depends on the user is marked as public.',
    mutation: listsByUser,
  }),
  defineMutant({
    name: 'session-is-for-everybody',
    kills: 'HTP-18',
    defect: 'A session serves every client that knows its id.',
    mutation: guardedBy({ sharesHandles: 'session' }),
  }),
];

const sharedTasks = defineMutant({
  name: 'task-is-for-everybody',
  kills: 'TSK-09',
  defect: 'A task can be read by every client that knows its id.',
  mutation: () => withTasks(guardedBy({ sharesHandles: 'task' })),
});

export const authorizationMutants: readonly Mutant[] = [
  ...atDoor,
  ...inMetadata,
  ...atIssuer,
  ...betweenUsers,
  sharedTasks,
];
