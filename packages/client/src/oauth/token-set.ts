import type { JsonObject } from '@plugboard/base';
import type { TokenSet } from '@plugboard/contract';
import { textMember } from './metadata-field.js';
import { OAuthFailure } from './oauth-failure.js';

const HEADER_SAFE = /^[\u0021-\u007e]+$/u;

/** Ten years: beyond a certain number, the time of expiry would be no date. */
const MAX_LIFETIME_SECONDS = 315_360_000;

/** Seconds as a number, or as the digits that some servers send. */
const seconds = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 0 ? Math.min(number, MAX_LIFETIME_SECONDS) : undefined;
};

/** The tokens of an answer. The lifetime counts from `at`, when the request was sent. */
export const readTokenSet = (answer: JsonObject, at: number): TokenSet => {
  const accessToken = textMember(answer, 'access_token');
  if (accessToken === undefined || !HEADER_SAFE.test(accessToken)) {
    throw new OAuthFailure('rejected', 'The authorization server answered without a usable access token.');
  }
  const type = textMember(answer, 'token_type') ?? 'bearer';
  if (type.toLowerCase() !== 'bearer') {
    throw new OAuthFailure('unsupported', 'The authorization server issues tokens of a kind that is not supported.', {
      details: { token_type: type.slice(0, 32) },
    });
  }
  const refreshToken = textMember(answer, 'refresh_token');
  const lifetime = seconds(answer['expires_in']);
  const scope = textMember(answer, 'scope');
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(lifetime === undefined ? {} : { expiresAt: at + lifetime * 1000 }),
    ...(scope === undefined ? {} : { scope }),
  };
};
