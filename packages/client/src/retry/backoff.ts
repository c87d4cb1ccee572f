import type { ErrorCode } from '@plugboard/contract';
import type { McpClientError } from '../error/client-error.js';
import type { Random } from '../deadline/clock.js';

const LONGEST_SECONDS = 60;

/** The longest wait before the n-th retry: 1, 2, 4 … 60 seconds. */
export const backoffCeilingMs = (retry: number): number => Math.min(2 ** (retry - 1), LONGEST_SECONDS) * 1_000;

/** The connection or the session is gone. The next attempt opens a new one, so the first retry need not wait. */
const LOST: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['SESSION_LOST', 'UPSTREAM_CLOSED', 'PROCESS_EXITED']);

/** How long to wait before the n-th retry: a random time below the ceiling, and never less than the server asked for. */
export const retryWaitMs = (error: McpClientError, retry: number, random: Random): number => {
  const backoff = retry === 1 && LOST.has(error.code) ? 0 : random() * backoffCeilingMs(retry);
  return Math.max(error.retryAfterMs ?? 0, backoff);
};
