import type { AttemptRecord, McpClientError } from '../error/client-error.js';
import { wasNotSent, isRefusedByUs } from '../error/own-refusal.js';
import { toClientError } from '../error/to-client-error.js';
import { systemClock, type Clock, type Random } from '../deadline/clock.js';
import type { CallContext, Policy } from '../policy/policy.js';
import { retryWaitMs } from './backoff.js';
import { hasPatience, waitOut } from '../policy/wait-out.js';
import type { ErrorCode } from '@plugboard/contract';
import { hasEndedAtStart } from '../error/process-error.js';

/**
 * Temporary failures after which a second send does not help the caller: a deadline that has passed already, and refusals
 * that protect a server which keeps failing.
 */
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['UPSTREAM_TIMEOUT', 'CIRCUIT_OPEN', 'PROCESS_CRASH_LOOP']);

/** Was the call not executed, or is a second execution harmless? */
const isSafe = ({ delivery }: McpClientError, idempotent: boolean): boolean =>
  delivery === 'not-executed' || (delivery === 'ambiguous' && idempotent);

/** May the same call be sent again: it is safe, and it can succeed. */
const isRetryable = (error: McpClientError, idempotent: boolean): boolean =>
  isSafe(error, idempotent) &&
  error.temporary &&
  !FINAL.has(error.code) &&
  !isRefusedByUs(error) &&
  !hasEndedAtStart(error);

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
    let attempts: AttemptRecord[] | undefined;
    let { patienceMs, attempt } = context;
    for (;;) {
      const current = { ...context, patienceMs, attempt };
      const startedAt = clock.now();
      try {
        return await next(current);
      } catch (thrown) {
        const error = toClientError(thrown);
        const { code, message, delivery } = error;
        attempts ??= [];
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
