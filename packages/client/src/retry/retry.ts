import type { AttemptRecord, McpClientError } from '../error/client-error.js';
import { wasNotSent } from '../error/own-refusal.js';
import { toClientError } from '../error/to-client-error.js';
import { systemClock, type Clock, type Random } from '../deadline/clock.js';
import type { CallContext, Policy } from '../policy/policy.js';
import { retryWaitMs } from './backoff.js';
import { isRetryable } from './retryable.js';
import { hasPatience, waitOut } from '../policy/wait-out.js';

export interface RetryOptions {
  /** How often a call is sent again after its first attempt. */
  readonly maxRetries: number;
  /** Told before the wait for the next attempt, with the attempt that failed. */
  readonly onRetry?: ((context: CallContext, error: McpClientError) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** The only place that sends a call again. */
export const retry = (options: RetryOptions): Policy => {
  const { maxRetries, onRetry, clock = systemClock, random = Math.random } = options;
  return async <T>(context: CallContext, next: (context: CallContext) => Promise<T>): Promise<T> => {
    const attempts: AttemptRecord[] = [];
    let { patienceMs, attempt } = context;
    for (;;) {
      const current = { ...context, patienceMs, attempt };
      const startedAt = clock.now();
      try {
        return await next(current);
      } catch (thrown) {
        const error = toClientError(thrown);
        const { code, message, delivery } = error;
        attempts.push({ attempt, code, message, delivery, elapsedMs: Math.round(clock.now() - startedAt) });
        const retries = attempt - context.attempt;
        const counts = !wasNotSent(error);
        const waitMs = retryWaitMs(error, retries + 1, random);
        const again = !counts || (retries < maxRetries && isRetryable(error, context.idempotent === true));
        if (!again || !hasPatience(current, waitMs) || context.signal.aborted) {
          throw attempts.length === 1 ? error : error.with({ attempts });
        }
        if (counts) {
          onRetry?.(current, error);
          attempt += 1;
        }
        // Callers are told of pauses that the server asked for, not of our own backoff.
        await waitOut(clock, waitMs, error.retryAfterMs === undefined ? { ...context, onWait: undefined } : context);
        if (patienceMs !== undefined) patienceMs -= waitMs;
      }
    }
  };
};
