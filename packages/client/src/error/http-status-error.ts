import type { ErrorCode } from '@plugboard/contract';
import { bearerChallenge } from './challenge.js';
import type { Delivery, McpClientError } from './client-error.js';
import { clientError } from './to-client-error.js';

export interface HttpRefusal {
  readonly status: number;
  readonly host: string;
  readonly retryAfter?: string | undefined;
  /** The WWW-Authenticate field. */
  readonly challenge?: string | undefined;
}

interface Verdict {
  readonly code: ErrorCode;
  readonly delivery: Delivery;
  readonly hint: string;
}

const verdict = (code: ErrorCode, delivery: Delivery, hint: string): Verdict => ({ code, delivery, hint });

/** The protocol has one code for invalid, expired and revoked tokens. Only the description tells them apart. */
const judgeAccess = (status: number, challenge: string | undefined): Verdict => {
  const { error, errorDescription = '' } = bearerChallenge(challenge) ?? {};
  if (status === 403 && error === 'insufficient_scope') {
    return verdict('UPSTREAM_SCOPE', 'not-executed', 'Use a token with the scopes that the challenge names.');
  }
  if (/\bexpired\b/iu.test(errorDescription)) {
    return verdict('UPSTREAM_AUTH_EXPIRED', 'not-executed', 'Replace the token of this server, or log in to it again.');
  }
  if (/\brevoked\b/iu.test(errorDescription)) {
    return verdict('UPSTREAM_AUTH_REVOKED', 'not-executed', 'Get a new token for this server, or log in to it again.');
  }
  return verdict('UPSTREAM_AUTH', 'not-executed', 'Check the token or header of this server, or log in to it again.');
};

const judge = ({ status, challenge }: HttpRefusal): Verdict => {
  switch (status) {
    case 401:
    case 403:
      return judgeAccess(status, challenge);
    case 404:
    case 405:
    case 410:
      return verdict('UPSTREAM_WRONG_URL', 'not-executed', 'No MCP endpoint exists at this path. Check the URL.');
    case 508:
      return verdict(
        'LOOP_DETECTED',
        'not-executed',
        'This server is the hub itself. Register the servers behind it instead.',
      );
    case 429:
      return verdict(
        'RATE_LIMITED',
        'not-executed',
        'The server limits the rate of requests. Wait before you call it again.',
      );
    case 408:
    case 504:
      return verdict('UPSTREAM_TIMEOUT', 'ambiguous', 'The server, or a proxy in front of it, timed out.');
    default:
  }
  if (status >= 500) return verdict('UPSTREAM_UNAVAILABLE', 'ambiguous', 'The server failed. Look at its log.');
  if (status >= 300 && status < 400) {
    return verdict('UPSTREAM_WRONG_URL', 'not-executed', 'The server redirects elsewhere: use the final URL.');
  }
  return verdict('UPSTREAM_PROTOCOL', 'not-executed', 'The server did not accept the request as MCP.');
};

/** A wrong number would keep a server out of use until the hub is restarted. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Retry-After as milliseconds, an hour at most: seconds or a date. */
export const parseRetryAfter = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined;
  const trimmed = value.trim();
  if (/^\d+$/u.test(trimmed)) return Math.min(Number(trimmed) * 1000, MAX_RETRY_AFTER_MS);
  const date = Date.parse(trimmed);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), MAX_RETRY_AFTER_MS);
};

/** The error for an answer with an error status. */
export const httpStatusError = (refusal: HttpRefusal): McpClientError => {
  const { code, delivery, hint } = judge(refusal);
  return clientError(code, `${refusal.host} answered with HTTP status ${refusal.status}.`, {
    hint,
    delivery,
    retryAfterMs: parseRetryAfter(refusal.retryAfter, Date.now()),
    details: {
      http_status: refusal.status,
      ...(refusal.challenge === undefined ? {} : { challenge: refusal.challenge }),
    },
  });
};
