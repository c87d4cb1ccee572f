import { PlugboardError } from '@plugboard/contract';
import { McpRateLimitedError } from '../error/error-family.js';
import { systemClock, type Clock } from './clock.js';
import { isUnderWay, type Policy } from './policy.js';

export interface RequestedPause {
  readonly policy: Policy;
  /** Does the pause last? */
  lasts(): boolean;
}

/** After a server asked for a pause, no call of anybody reaches it before the pause is over. */
export const requestedPause = (options: { readonly clock?: Clock | undefined } = {}): RequestedPause => {
  const clock = options.clock ?? systemClock;
  let notBefore = Number.NEGATIVE_INFINITY;
  const policy: Policy = async (context, next) => {
    const waitMs = Math.ceil(notBefore - clock.now());
    if (waitMs > 0 && !isUnderWay(context)) {
      throw new McpRateLimitedError('RATE_LIMITED', `The server "${context.serverName}" asked for a pause.`, {
        hint: 'It answered an earlier call with Retry-After; try again after the wait.',
        retryAfterMs: waitMs,
      });
    }
    try {
      return await next(context);
    } catch (thrown) {
      if (thrown instanceof PlugboardError && thrown.code === 'RATE_LIMITED' && thrown.retryAfterMs !== undefined) {
        notBefore = Math.max(notBefore, clock.now() + thrown.retryAfterMs);
      }
      throw thrown;
    }
  };
  return { policy, lasts: () => notBefore > clock.now() };
};

export const respectRetryAfter = (options: { readonly clock?: Clock | undefined } = {}): Policy =>
  requestedPause(options).policy;
