import { PlugboardError } from '@plugboard/contract';
import { McpRateLimitedError } from '../error/error-family.js';
import { systemClock, type Clock } from './clock.js';
import type { Policy } from './policy.js';

/** After a server asked for a pause, no call of anybody reaches it before the pause is over. */
export const respectRetryAfter = (options: { readonly clock?: Clock | undefined } = {}): Policy => {
  const clock = options.clock ?? systemClock;
  let notBefore = Number.NEGATIVE_INFINITY;
  return async (context, next) => {
    const waitMs = Math.ceil(notBefore - clock.now());
    if (waitMs > 0) {
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
};
