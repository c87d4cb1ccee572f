import { PlugboardError } from '@plugboard/contract';
import { sleep, systemClock, type Clock, type Random } from './clock.js';
import { mayRepeat } from './failure-kind.js';
import type { CallContext, Policy } from './policy.js';

export interface RetryOptions {
  /** Tries after the first one. */
  readonly maxRetries: number;
  /** A server that asks for a longer wait than this gets no retry; its error is passed on at once. */
  readonly maxRetryAfterMs?: number | undefined;
  readonly mayRetry?: ((thrown: unknown, context: CallContext) => boolean) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

export interface AttemptRecord {
  readonly attempt: number;
  readonly code: string;
  readonly message: string;
  readonly waited_ms: number;
}

const longestBackoffSeconds = 60;

/** The longest wait before the n-th retry: 1, 2, 4 … 60 seconds. */
export const backoffCeilingMs = (retry: number): number => Math.min(2 ** (retry - 1), longestBackoffSeconds) * 1_000;

const exhausted = (last: PlugboardError, attempts: readonly AttemptRecord[]): PlugboardError =>
  new PlugboardError(last.code, last.message, {
    hint: last.hint,
    details: { ...last.details, attempts },
    retryAfterMs: last.retryAfterMs,
    cause: last,
  });

/** Repeats what may be repeated, after a wait of random length that never undercuts the server's Retry-After. */
export const retry = (options: RetryOptions): Policy => {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const mayRetry = options.mayRetry ?? ((thrown, context) => mayRepeat(thrown, context.idempotent === true));
  const maxRetryAfterMs = options.maxRetryAfterMs ?? longestBackoffSeconds * 1_000;

  const waitFor = (thrown: PlugboardError, tries: number): number | undefined => {
    const asked = thrown.retryAfterMs ?? 0;
    return asked > maxRetryAfterMs ? undefined : Math.max(asked, random() * backoffCeilingMs(tries));
  };

  return async <T>(context: CallContext, next: (context: CallContext) => Promise<T>): Promise<T> => {
    const attempts: AttemptRecord[] = [];
    let waited = 0;
    for (let tries = 1; ; tries += 1) {
      try {
        return await next({ ...context, attempt: context.attempt + tries - 1 });
      } catch (thrown) {
        if (!(thrown instanceof PlugboardError) || context.signal.aborted) throw thrown;
        const { code, message } = thrown;
        attempts.push({ attempt: tries, code, message, waited_ms: Math.round(waited) });
        const wait = waitFor(thrown, tries);
        if (tries > options.maxRetries || wait === undefined || !mayRetry(thrown, context)) {
          throw attempts.length === 1 ? thrown : exhausted(thrown, attempts);
        }
        waited = wait;
        await sleep(clock, wait, context.signal);
      }
    }
  };
};
