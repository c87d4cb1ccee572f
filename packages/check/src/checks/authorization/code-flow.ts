import { at, show } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notVerified } from '../../model/finding.js';
import { judged } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { bearer, firstRequest, isServed, statusOf } from './anonymous.js';
import {
  askForTokens,
  authorizationUrl,
  browse,
  exchangeForm,
  flowing,
  getCode,
  NEEDS_PERSON,
  newPkce,
} from './flow.js';
import { AUTHORIZATION, authorization, CONSIDERATIONS, rfc } from './source.js';

export const pkceDemanded = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-08',
  title: 'no code is issued without a challenge, and no token without its verifier',
  level: 'MUST',
  tier: 'standard',
  source: authorization(
    'overview',
    'Authorization servers MUST implement OAuth 2.1 with appropriate security measures for both confidential and public clients.',
  ),
  remedy: 'Require code_challenge with S256 from every client, and compare the verifier when the code is exchanged.',
  run: flowing(async (probe, flow) => {
    // The control: with a challenge and its verifier there is a token.
    const good = newPkce();
    const first = await getCode(probe, flow, good);
    if (first === undefined) return NEEDS_PERSON;
    const { status: given, document } = await askForTokens(
      probe,
      flow,
      exchangeForm(probe, flow, first, good.verifier),
    );
    if (typeof document['access_token'] !== 'string') {
      return notVerified(`A proper exchange was answered with HTTP ${given}.`, 'a client whose codes can be exchanged');
    }
    const { location } = await browse(probe, authorizationUrl(flow, probe, {}));
    if (location?.searchParams.has('code') === true) {
      return broken({ detail: 'A code was given without code_challenge.', expected: 'error=invalid_request' });
    }
    const pkce = newPkce();
    const code = await getCode(probe, flow, pkce);
    if (code === undefined) return NEEDS_PERSON;
    const { status } = await askForTokens(probe, flow, exchangeForm(probe, flow, code, newPkce().verifier));
    if (status >= 400 && status < 500) return holds();
    if (status >= 500) {
      const detail = `A wrong verifier was answered with HTTP ${status}.`;
      return doubtful({ detail, expected: 'HTTP 400 with invalid_grant' });
    }
    return broken({
      detail: `A wrong verifier was answered with HTTP ${status}.`,
      expected: 'HTTP 400 with invalid_grant',
    });
  }),
});

export const resourceParameter = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-09',
  title: 'both requests accept resource, and the server accepts the token',
  // No sentence demands it of an authorization server; without it, a client that follows its own MUST gets no token.
  level: 'ADVICE',
  tier: 'standard',
  source: authorization(
    'resource-parameter-implementation',
    'MCP clients MUST implement Resource Indicators for OAuth 2.0 as defined in RFC 8707 to explicitly specify the target resource for which the token is being requested.',
  ),
  remedy: 'Accept resource (RFC 8707) at both endpoints and issue tokens for exactly that audience.',
  run: flowing(async (probe, flow) => {
    const pkce = newPkce();
    const { location } = await browse(
      probe,
      authorizationUrl(flow, probe, { code_challenge: pkce.challenge, code_challenge_method: 'S256' }),
    );
    const refused = location?.searchParams.get('error');
    if (typeof refused === 'string') {
      return broken({ detail: `The request was refused with ${refused}.`, expected: 'a code' });
    }
    const code = location?.searchParams.get('code');
    if (typeof code !== 'string') return NEEDS_PERSON;
    const { status, document } = await askForTokens(probe, flow, exchangeForm(probe, flow, code, pkce.verifier));
    const token = document['access_token'];
    if (typeof token !== 'string') {
      const detail = `The code was answered with HTTP ${status} ${show(at(document, 'error') ?? '')}.`;
      return broken({ detail, expected: 'an access token' });
    }
    const reply = await firstRequest(probe, bearer(probe, token), { confidential: true });
    if (isServed(reply)) return holds();
    return broken({ detail: `The server refuses the token with HTTP ${statusOf(reply)}.`, expected: 'an answer' });
  }),
});

export const redirectExact = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-18',
  title: 'users are never redirected to an unregistered URI',
  level: 'MUST',
  tier: 'standard',
  source: authorization(
    'open-redirection',
    'Authorization servers MUST validate exact redirect URIs against pre-registered values to prevent redirection attacks.',
    `${CONSIDERATIONS}#open-redirection`,
  ),
  remedy: 'Compare redirect_uri with the registered URIs character by character. If none matches, show an error page.',
  run: flowing(async (probe, flow) => {
    const pkce = newPkce();
    const challenge = { code_challenge: pkce.challenge, code_challenge_method: 'S256' };
    const { redirectUri } = flow.client;
    const foreign = ['https://attacker.example/callback', `${redirectUri}/more`, `${redirectUri}?more=1`];
    const flaws = [];
    for (const uri of foreign) {
      const { location } = await browse(probe, authorizationUrl(flow, probe, { ...challenge, redirect_uri: uri }));
      if (location?.href.startsWith(uri) === true) flaws.push({ detail: `The browser is redirected to ${uri}.` });
    }
    return judged(flaws, 'a page with an error, and no redirect');
  }),
});

export const codesOnce = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-19',
  title: 'a code can be exchanged only once',
  level: 'MUST',
  tier: 'standard',
  source: rfc(
    6749,
    '4.1.2',
    'If an authorization code is used more than once, the authorization server MUST deny the request and SHOULD revoke (when possible) all tokens previously issued based on that authorization code.',
  ),
  remedy: 'Delete a code when it is exchanged. If it is used again, revoke its tokens.',
  run: flowing(async (probe, flow) => {
    const pkce = newPkce();
    const code = await getCode(probe, flow, pkce);
    if (code === undefined) return NEEDS_PERSON;
    const form = exchangeForm(probe, flow, code, pkce.verifier);
    const first = await askForTokens(probe, flow, form);
    if (typeof first.document['access_token'] !== 'string') {
      return notVerified(`The code was answered with HTTP ${first.status}.`, 'a client whose codes can be exchanged');
    }
    const second = await askForTokens(probe, flow, form);
    if (typeof second.document['access_token'] !== 'string') return holds();
    return broken({
      detail: 'The same code was exchanged for tokens twice.',
      expected: 'invalid_grant the second time',
    });
  }),
});

export const refreshRotates = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-20',
  title: 'the refresh token of a public client is replaced when it is used, and the old one is rejected',
  level: 'MUST',
  since: '2025-06-18',
  levelBefore: 'SHOULD',
  tier: 'standard',
  source: authorization(
    'token-theft',
    'For public clients, authorization servers MUST rotate refresh tokens as described in OAuth 2.1 Section 4.3.1 "Token Endpoint Extension".',
    `${CONSIDERATIONS}#token-theft`,
  ),
  remedy: 'Issue a new refresh token with each refresh, and reject the old one.',
  run: flowing(async (probe, flow) => {
    if (flow.client.clientSecret !== undefined) {
      return notVerified('The client has a secret, so its refresh tokens need not change.', 'a public client');
    }
    const pkce = newPkce();
    const code = await getCode(probe, flow, pkce);
    if (code === undefined) return NEEDS_PERSON;
    const first = await askForTokens(probe, flow, exchangeForm(probe, flow, code, pkce.verifier));
    const token = first.document['refresh_token'];
    if (typeof token !== 'string') return holds('No refresh token is issued.');
    const form = { grant_type: 'refresh_token', refresh_token: token };
    const second = await askForTokens(probe, flow, form);
    if (typeof second.document['access_token'] !== 'string') {
      return notVerified(`A refresh was answered with HTTP ${second.status}.`, 'a client that may refresh');
    }
    const third = await askForTokens(probe, flow, form);
    if (typeof third.document['access_token'] !== 'string') return holds();
    const rotated = second.document['refresh_token'] !== undefined && second.document['refresh_token'] !== token;
    const evidence = {
      detail: 'A used refresh token still works.',
      expected: 'a new refresh token each time',
    };
    // Some servers allow a moment of overlap, so that a lost answer is no lost login.
    return rotated ? doubtful(evidence) : broken(evidence);
  }),
});

export const tokenResponse = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-23',
  title: 'tokens are of type Bearer, state their lifetime, and are not cached',
  level: 'MUST',
  tier: 'standard',
  source: rfc(
    6749,
    '5.1',
    'The authorization server MUST include the HTTP "Cache-Control" response header field with a value of "no-store" in any response containing tokens, credentials, or other sensitive information',
  ),
  remedy: 'Answer with token_type Bearer, expires_in and Cache-Control: no-store.',
  run: flowing(async (probe, flow) => {
    const pkce = newPkce();
    const code = await getCode(probe, flow, pkce);
    if (code === undefined) return NEEDS_PERSON;
    const { document, reply, status } = await askForTokens(probe, flow, exchangeForm(probe, flow, code, pkce.verifier));
    if (typeof document['access_token'] !== 'string') {
      return notVerified(`The code was answered with HTTP ${status}.`, 'a client whose codes can be exchanged');
    }
    const cache = reply.http?.headers['cache-control'] ?? '';
    const flaws = [
      ...(/^bearer$/iu.test(String(document['token_type']))
        ? []
        : [{ detail: `token_type is ${show(document['token_type'])}.` }]),
      ...(cache.toLowerCase().includes('no-store') ? [] : [{ detail: `Cache-Control is "${cache}".` }]),
    ];
    if (flaws.length === 0 && typeof document['expires_in'] !== 'number') {
      return doubtful({ detail: 'expires_in is missing.', expected: 'expires_in as a number of seconds' });
    }
    return judged(flaws, 'token_type: Bearer and Cache-Control: no-store');
  }),
});

export const issuerInResponse = defineCheck({
  ...AUTHORIZATION,
  eras: ['modern'],
  id: 'AUT-21',
  title: 'the redirect names the issuer, as the metadata promises',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/authorization#authorization-response-validation',
    'MCP authorization servers SHOULD include the iss parameter in authorization responses, including error responses, as defined in RFC9207 Section 2.',
  ),
  remedy: 'Add iss to every redirect and set authorization_response_iss_parameter_supported.',
  run: flowing(async (probe, flow) => {
    const pkce = newPkce();
    const url = authorizationUrl(flow, probe, { code_challenge: pkce.challenge, code_challenge_method: 'S256' });
    const { location } = await browse(probe, url);
    const promised = at(flow.issuer.metadata?.document, 'authorization_response_iss_parameter_supported') === true;
    if (location === undefined) {
      if (promised) return NEEDS_PERSON;
      return doubtful({
        detail: 'The metadata does not promise iss.',
        expected: 'authorization_response_iss_parameter_supported: true',
      });
    }
    const iss = location.searchParams.get('iss');
    if (iss === flow.issuer.issuer && promised) return holds();
    const detail =
      iss === null
        ? 'The redirect names no issuer.'
        : `iss is ${iss}, and the metadata ${promised ? 'promises' : 'does not promise'} it.`;
    return broken({ detail, expected: `iss=${flow.issuer.issuer}, promised by the metadata` });
  }),
});
