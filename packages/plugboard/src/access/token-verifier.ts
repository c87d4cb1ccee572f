import { agentId, PlugboardError, role, type Principal, type Role } from '@plugboard/contract';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose';
import type { VerifyToken } from './access-gate.js';
import type { TokenSettings } from '../settings/access-settings.js';

/** A fetch that reaches only what the policy for addresses allows. */
export type DocumentFetch = (
  url: string,
  init: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal; readonly redirect: 'manual' },
) => Promise<Response>;

const SCOPE = /^plugboard:(?<role>\w+)$/u;
/** The first that a token names counts. */
const BY_POWER: readonly Role[] = ['admin', 'operator', 'viewer', 'agent'];

const refused = (message: string, cause?: unknown): PlugboardError =>
  new PlugboardError('UNAUTHENTICATED', message, {
    hint: 'Get a new token from the authorization server of this hub.',
    cause,
  });

const wordsOf = (claim: unknown): readonly string[] => {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((word): word is string => typeof word === 'string') : [];
};

/** A token without a role of ours may call tools, and no more. */
const roleOf = (payload: JWTPayload, claim: string | undefined): Role => {
  const named =
    claim === undefined
      ? wordsOf(payload['scope'] ?? payload['scp']).flatMap((word) => SCOPE.exec(word)?.groups?.['role'] ?? [])
      : wordsOf(payload[claim]);
  const known = new Set(named.flatMap((word) => role.safeParse(word).data ?? []));
  return BY_POWER.find((candidate) => known.has(candidate)) ?? 'agent';
};

const principalOf = (payload: JWTPayload, settings: TokenSettings): Principal => {
  if (typeof payload.sub !== 'string' || payload.sub === '') throw refused('The token does not say whose it is.');
  const found = roleOf(payload, settings.roleClaim);
  const agent = settings.agentClaim === undefined ? undefined : agentId.safeParse(payload[settings.agentClaim]).data;
  return {
    id: `${settings.issuer} ${payload.sub}`,
    role: found,
    ...(found === 'agent' && agent !== undefined ? { agent } : {}),
  };
};

/** A failure to fetch keys says nothing about the token. */
const failureOf = (thrown: unknown): PlugboardError => {
  if (thrown instanceof errors.JWTExpired) return refused('The token has expired.', thrown);
  if (thrown instanceof errors.JWTClaimValidationFailed) {
    return refused(`The token is not for this hub: its claim "${thrown.claim}" does not fit.`, thrown);
  }
  const unavailable =
    thrown instanceof errors.JWKSTimeout ||
    thrown instanceof errors.JWKSInvalid ||
    !(thrown instanceof errors.JOSEError) ||
    thrown.code === 'ERR_JOSE_GENERIC';
  if (unavailable) {
    return new PlugboardError('AUTH_SERVER_UNAVAILABLE', 'The keys of the authorization server cannot be read.', {
      hint: 'Try again in a while; the "access" setting names where they are.',
      cause: thrown,
    });
  }
  return refused('The token is not valid.', thrown);
};

/** Verifies JWTs of one issuer for one audience, by the keys that the issuer publishes. */
export const createTokenVerifier = (settings: TokenSettings, fetch: DocumentFetch): VerifyToken => {
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
    return principalOf(payload, settings);
  };
};
