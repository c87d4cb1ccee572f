import { defineCheck } from '../../model/check.js';
import { broken, holds, notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { Reply } from '../../session/answer.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { plainMethod } from '../instrument/control-request.js';
import { bearer, firstRequest, isServed, operatorToken, statusOf, withoutCredentials } from './anonymous.js';
import { forgedTokens } from './forged.js';
import { guarded } from './lock.js';
import { AUTHORIZATION, authorization, bestPractice, CONSIDERATIONS, rfc } from './source.js';

export const NO_TOKEN = notVerified('No bearer token was given for the server.', 'an access token (headers or auth)');

const WORKING = 'a server that works, and an access token that it accepts (headers or auth)';

/** The control of a refusal: whether the server serves those who have a token. Undefined when nothing speaks against it. */
export const notServing = async (probe: Probe): Promise<Finding | undefined> => {
  if (operatorToken(probe) === undefined) return undefined;
  const reply = await firstRequest(probe, {}, { confidential: true });
  return isServed(reply)
    ? undefined
    : notVerified(`With the token that was given, the server answers HTTP ${statusOf(reply)}.`, WORKING);
};

/** Why an answer other than 401 is no refusal: the server is in trouble, or refuses everybody. */
const notRefusing = async (probe: Probe, status: number): Promise<Finding | undefined> =>
  status >= 500 ? notVerified(`The server answers HTTP ${status}.`, WORKING) : await notServing(probe);

export const refusesStrangers = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-01',
  title: 'a request without a token is rejected with 401 and a challenge',
  level: 'MUST',
  tier: 'smoke',
  source: rfc(
    6750,
    '3',
    'If the protected resource request does not include authentication credentials or does not contain an access token that enables access to the protected resource, the resource server MUST include the HTTP "WWW-Authenticate" response header field',
  ),
  remedy: 'Answer a request without a valid token with 401 and WWW-Authenticate: Bearer.',
  run: guarded(async (probe, { refusal, challenge }) => {
    const status = statusOf(refusal);
    const expected = 'HTTP 401 with WWW-Authenticate: Bearer';
    const why = status === 401 ? undefined : await notRefusing(probe, status);
    if (why !== undefined) return why;
    if (status !== 401) {
      return broken({ detail: `It came back with HTTP ${status}.`, expected, exchange: refusal.exchange });
    }
    if (challenge !== undefined) return holds();
    const given = refusal.http?.headers['www-authenticate'];
    const detail = given === undefined ? 'The answer has no challenge.' : `The challenge is ${given}.`;
    return broken({ detail, expected, exchange: refusal.exchange });
  }),
});

/** What comes of some requests without a token that a client may make with a session, or without one. */
const strangerReplies = async (probe: Probe): Promise<readonly (readonly [string, Reply])[]> => {
  const session = await probe.open({ mayFail: true });
  const headers = withoutCredentials(probe);
  const { revision } = session;
  const send = async (method: string): Promise<readonly [string, Reply]> => {
    const message = { jsonrpc: '2.0', id: `stranger ${method}`, method };
    if (probe.era === 'legacy') return [method, await session.send(JSON.stringify(message), { headers })];
    const meta = (session.opening.request['params'] as { readonly _meta?: unknown } | undefined)?._meta;
    const mirrored = { 'mcp-method': method, 'mcp-protocol-version': revision };
    const text = JSON.stringify({ ...message, params: { _meta: meta } });
    return [method, await session.send(text, { headers: { ...mirrored, ...headers } })];
  };
  const replies: (readonly [string, Reply])[] = [];
  for (const method of [plainMethod(probe.era), 'tools/list', 'resources/list', 'prompts/list']) {
    replies.push(await send(method));
  }
  return replies;
};

const servedFlaws = (replies: readonly (readonly [string, Reply])[]): readonly Flaw[] =>
  replies
    .filter(([, reply]) => isServed(reply))
    .map(([method, { exchange }]) => ({ detail: `${method} is served without a token.`, exchange }));

const methodsOf = (replies: readonly (readonly [string, Reply])[], lists: boolean) =>
  replies.filter(([method]) => method.endsWith('/list') === lists);

export const everyRequestNeedsToken = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-13',
  inSequence: true,
  title: 'every request needs a token, even within a session',
  level: 'MUST',
  tier: 'standard',
  source: {
    legacy: bestPractice('session-hijacking', 'MCP Servers MUST NOT use sessions for authentication.'),
    modern: authorization(
      'access-token-privilege-restriction',
      'MCP servers MUST validate access tokens before processing the request, ensuring the access token is issued specifically for the MCP server, and take all necessary steps to ensure no data is returned to unauthorized parties.',
      `${CONSIDERATIONS}#access-token-privilege-restriction`,
    ).modern,
  },
  remedy: 'Verify the token of each request before you look at its session.',
  run: guarded(async (probe) => judged(servedFlaws(methodsOf(await strangerReplies(probe), false)), 'HTTP 401')),
});

export const listsNeedToken = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-15',
  inSequence: true,
  title: 'without a token, a server that requires one shows no tools, resources or prompts',
  level: 'MUST',
  tier: 'standard',
  source: authorization(
    'access-token-privilege-restriction',
    'MCP servers MUST validate access tokens before processing the request, ensuring the access token is issued specifically for the MCP server, and take all necessary steps to ensure no data is returned to unauthorized parties.',
    `${CONSIDERATIONS}#access-token-privilege-restriction`,
  ),
  remedy: 'Verify the token before every method, including lists.',
  run: guarded(async (probe) => judged(servedFlaws(methodsOf(await strangerReplies(probe), true)), 'HTTP 401')),
});

export const queryTokenRefused = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-12',
  inSequence: true,
  title: 'a token in the query of the URL is not accepted',
  // The sentence is about clients. A server that accepts such tokens invites clients to break it.
  level: 'ADVICE',
  tier: 'standard',
  source: authorization('token-requirements', 'Access tokens MUST NOT be included in the URI query string'),
  remedy: 'Accept tokens only in the Authorization header.',
  run: guarded(async (probe): Promise<Finding> => {
    const token = operatorToken(probe);
    if (token === undefined) return NO_TOKEN;
    const flaws: Flaw[] = [];
    for (const name of ['access_token', 'token']) {
      const url = new URL(probe.url ?? '');
      url.searchParams.set(name, token);
      const reply = await firstRequest(probe, withoutCredentials(probe), { url: url.href });
      if (isServed(reply)) flaws.push({ detail: `?${name}=… is accepted as a token.`, exchange: reply.exchange });
    }
    return judged(flaws, 'HTTP 401');
  }),
});

export const forgedTokensRefused = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-11',
  title: 'malformed, unsigned, altered and expired tokens are rejected with 401',
  level: 'MUST',
  tier: 'standard',
  source: authorization('token-handling', 'Invalid or expired tokens MUST receive a HTTP 401 response.'),
  remedy: 'Verify signature, algorithm, times and audience of each token, and answer with 401 invalid_token.',
  run: guarded(async (probe, { challenge, refusal }) => {
    const why = await notServing(probe);
    if (why !== undefined) return why;
    if (operatorToken(probe) === undefined && statusOf(refusal) !== 401) {
      return notVerified(`Without a token the server answers HTTP ${statusOf(refusal)} (AUT-01).`, WORKING);
    }
    const { expiredToken } = probe.target.authorization ?? {};
    const forged = forgedTokens(operatorToken(probe), probe.url ?? '');
    const tokens = [
      ...forged,
      ...(expiredToken === undefined ? [] : [{ what: 'an expired token', token: expiredToken }]),
    ];
    const flaws: Flaw[] = [];
    for (const { what, token } of tokens) {
      const reply = await firstRequest(probe, bearer(probe, token));
      const status = statusOf(reply);
      if (isServed(reply)) {
        flaws.push({ detail: `${what} is accepted.`, exchange: reply.exchange });
      } else if (status < 500 && status !== 401) {
        flaws.push({ detail: `${what} leads to HTTP ${status}.`, exchange: reply.exchange });
      }
    }
    return judged(flaws, 'HTTP 401', challenge === undefined ? undefined : `${tokens.length} tokens.`);
  }),
});
