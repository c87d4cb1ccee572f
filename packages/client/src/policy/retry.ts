import type { AttemptRecord, McpClientError } from '../error/client-error.js';
import { toClientError } from '../error/to-client-error.js';
import { systemClock, type Clock, type Random } from './clock.js';
import { mayRepeat, wasNotSent } from './failure-kind.js';
import type { CallContext, Policy } from './policy.js';
import { hasPatience, waitOut } from './wait-out.js';

export interface RetryOptions {
  /** Tries after the first one. */
  readonly maxRetries: number;
  /**
   * A server that asks for a longer wait than this gets no retry; its error is passed on at once. When left out: the
   * caller's patience, else a minute.
   */
  readonly maxRetryAfterMs?: number | undefined;
  readonly mayRetry?: ((error: McpClientError, context: CallContext) => boolean) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

const longestBackoffSeconds = 60;

/** The longest wait before the n-th retry: 1, 2, 4 … 60 seconds. */
export const backoffCeilingMs = (retry: number): number => Math.min(2 ** (retry - 1), longestBackoffSeconds) * 1_000;

/** What an inner policy has already tried is part of the history. */
const historyOf = (error: McpClientError, attempt: number, elapsedMs: number): readonly AttemptRecord[] => {
  const { code, message, delivery, attempts } = error;
  return attempts.length > 0 ? attempts : [{ attempt, code, message, delivery, elapsedMs: Math.round(elapsedMs) }];
};

/** Repeats what may be repeated, after a wait of random length that never undercuts the server's Retry-After. */
export const retry = (options: RetryOptions): Policy => {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const mayRetry = options.mayRetry ?? ((error, context) => mayRepeat(error, context.idempotent === true));

  const waitFor = (error: McpClientError, tries: number): number =>
    Math.max(error.retryAfterMs ?? 0, random() * backoffCeilingMs(tries));
  const isTooLong = (error: McpClientError, context: CallContext, wait: number): boolean =>
    (error.retryAfterMs ?? 0) > (options.maxRetryAfterMs ?? context.patienceMs ?? longestBackoffSeconds * 1_000) ||
    !hasPatience(context, wait);

  return async <T>(context: CallContext, next: (context: CallContext) => Promise<T>): Promise<T> => {
    const attempts: AttemptRecord[] = [];
    let { patienceMs } = context;
    for (let tries = 1; ;) {
      const startedAt = clock.now();
      const current = { ...context, patienceMs };
      try {
        return await next({ ...current, attempt: context.attempt + tries - 1 });
      } catch (thrown) {
        const error = toClientError(thrown);
        attempts.push(...historyOf(error, tries, clock.now() - startedAt));
        const wait = waitFor(error, tries);
        const mayGoOn = wasNotSent(error) || (tries <= options.maxRetries && mayRetry(error, context));
        if (!mayGoOn || isTooLong(error, current, wait) || context.signal.aborted) {
          throw attempts.length === 1 ? error : error.with({ attempts });
        }
        // Only a pause that the server asked for is worth telling.
        await waitOut(clock, wait, error.retryAfterMs === undefined ? { ...context, onWait: undefined } : context);
        if (patienceMs !== undefined) patienceMs -= wait;
        if (!wasNotSent(error)) tries += 1;
      }
    }
  };
};
