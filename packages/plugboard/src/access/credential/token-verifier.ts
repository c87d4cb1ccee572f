import { PlugboardError } from '@plugboard/contract';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose';
import type { TokenSettings } from '../../settings/access-settings.js';
import type { VerifyToken } from './access-gate.js';
import { principalOfClaims, refusedToken, textOf } from './token-claims.js';

/** A fetch that reaches only what the policy for addresses allows. */
export type DocumentFetch = (
  url: string,
  init: {
    readonly method?: 'GET' | 'POST';
    readonly headers?: Record<string, string>;
    readonly body?: string;
    readonly signal?: AbortSignal;
    readonly redirect: 'manual';
  },
) => Promise<Response>;

/** A failure to fetch keys says nothing about the token. */
const failureOf = (thrown: unknown): PlugboardError => {
  if (thrown instanceof errors.JWTExpired) return refusedToken('The token has expired.', thrown);
  if (thrown instanceof errors.JWTClaimValidationFailed) {
    return refusedToken(`The token is not for this hub: its claim "${thrown.claim}" does not fit.`, thrown);
  }
  const unavailable =
    thrown instanceof errors.JWKSTimeout ||
    thrown instanceof errors.JWKSInvalid ||
    !(thrown instanceof errors.JOSEError) ||
    thrown.code === 'ERR_JOSE_GENERIC';
  if (unavailable) {
    return new PlugboardError('AUTH_SERVER_UNAVAILABLE', 'The keys of the authorization server cannot be read.', {
      hint: 'Try again later. The "access" setting has their URL.',
      cause: thrown,
    });
  }
  return refusedToken('The token is not valid.', thrown);
};

/** Verifies JWTs of one issuer for one audience, by the keys that the issuer publishes. */
export const createTokenVerifier = (
  settings: TokenSettings & { readonly jwksUri: string },
  fetch: DocumentFetch,
): VerifyToken => {
  const keys = createRemoteJWKSet(new URL(settings.jwksUri), {
    timeoutDuration: 5000,
    cooldownDuration: 30_000,
    [customFetch]: (url, { headers, signal }) =>
      fetch(url, { headers: Object.fromEntries(headers.entries()), signal, redirect: 'manual' }),
  });
  return async (token) => {
    let payload: JWTPayload;
    try {
      const verified = await jwtVerify(token, keys, {
        issuer: settings.issuer,
        audience: settings.audience,
        algorithms: [...settings.algorithms],
        clockTolerance: settings.clockSkewSeconds,
        requiredClaims: ['exp', 'sub'],
      });
      payload = verified.payload;
    } catch (thrown) {
      throw failureOf(thrown);
    }
    const subject = textOf(payload.sub);
    if (subject === undefined) throw refusedToken('The token has no subject (sub).');
    return principalOfClaims(payload, subject, settings);
  };
};
