import { McpRateLimitedError } from '../error/error-family.js';
import { sleep, systemClock, type Clock } from '../deadline/clock.js';
import { refusedByUs } from '../error/own-refusal.js';
import type { Policy } from './policy.js';

export interface RateLimitOptions {
  readonly perSecond: number;
  /** Calls that may come at once after a pause. */
  readonly burst: number;
  /** Calls wait this long for their turn; without it they are refused at once. */
  readonly maxWaitMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** A token bucket: it fills steadily up to the burst, and each call takes one token. */
export const rateLimit = (options: RateLimitOptions): Policy => {
  const clock = options.clock ?? systemClock;
  let tokens = options.burst;
  let filledAt = clock.now();

  /** Takes a token that is there, or one of the future; the wait until then. */
  const reserve = (): number => {
    const now = clock.now();
    tokens = Math.min(options.burst, tokens + ((now - filledAt) / 1_000) * options.perSecond);
    filledAt = now;
    const waitMs = tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / options.perSecond) * 1_000);
    if (waitMs <= (options.maxWaitMs ?? 0)) tokens -= 1;
    return waitMs;
  };

  return async (context, next) => {
    const waitMs = reserve();
    if (waitMs > (options.maxWaitMs ?? 0)) {
      throw new McpRateLimitedError('RATE_LIMITED', `The server "${context.serverName}" has reached its rate limit.`, {
        hint: `At most ${options.perSecond} calls per second, ${options.burst} at once. Retry after the wait.`,
        details: refusedByUs,
        retryAfterMs: waitMs,
      });
    }
    if (waitMs > 0) {
      try {
        await sleep(clock, waitMs, context.signal);
      } catch (thrown) {
        tokens += 1;
        throw thrown;
      }
    }
    return next(context);
  };
};
