import { PlugboardError } from '@plugboard/contract';
import { McpRateLimitedError } from '../error/error-family.js';
import { systemClock, type Clock } from '../deadline/clock.js';
import { notSent } from '../error/own-refusal.js';
import { type CallContext, isUnderWay, type Policy } from './policy.js';
import { hasPatience, waitOut } from './wait-out.js';

export interface RequestedPause {
  /** Learns of pauses, and refuses calls while one lasts. */
  readonly policy: Policy;
  /** Waits until the pause is over; refuses at once when that takes longer than the caller can wait. */
  readonly wait: Policy;
  /** Does the pause last? */
  lasts(): boolean;
}

/** After a server asked for a pause, no call is sent to it before the pause is over. */
export const requestedPause = (options: { readonly clock?: Clock | undefined } = {}): RequestedPause => {
  const clock = options.clock ?? systemClock;
  let notBefore = Number.NEGATIVE_INFINITY;
  const left = (): number => Math.ceil(notBefore - clock.now());
  const refusal = ({ serverName }: CallContext, waitMs: number): McpRateLimitedError =>
    new McpRateLimitedError('RATE_LIMITED', `The server "${serverName}" asked for a pause.`, {
      hint: 'It answered an earlier call with Retry-After. Retry after the wait.',
      details: notSent,
      retryAfterMs: waitMs,
    });
  const policy: Policy = async (context, next) => {
    const waitMs = left();
    if (waitMs > 0 && !isUnderWay(context)) throw refusal(context, waitMs);
    try {
      return await next(context);
    } catch (thrown) {
      if (thrown instanceof PlugboardError && thrown.code === 'RATE_LIMITED' && thrown.retryAfterMs !== undefined) {
        notBefore = Math.max(notBefore, clock.now() + thrown.retryAfterMs);
      }
      throw thrown;
    }
  };
  const waitFirst: Policy = async (context, next) => {
    let patienceMs = context.patienceMs;
    // Calls that were in progress may move its end.
    for (let waitMs = left(); waitMs > 0 && !isUnderWay(context); waitMs = left()) {
      if (!hasPatience({ ...context, patienceMs }, waitMs)) throw refusal(context, waitMs);
      await waitOut(clock, waitMs, context);
      if (patienceMs !== undefined) patienceMs -= waitMs;
    }
    return next(context);
  };
  const wait: Policy = (context, next) => (left() > 0 ? waitFirst(context, next) : next(context));
  return { policy, wait, lasts: () => notBefore > clock.now() };
};
