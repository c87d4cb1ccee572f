import { PlugboardError } from '@plugboard/contract';
import { systemClock, type Clock } from './clock.js';
import type { Policy } from './policy.js';

/** The header's value in milliseconds: a number of seconds or a date; undefined when it is neither. */
export const parseRetryAfter = (value: string, nowEpochMs: number): number | undefined => {
  const text = value.trim();
  if (/^\d{1,9}$/u.test(text)) return Number(text) * 1_000;
  // Date.parse reads almost anything; a date of HTTP begins with the name of a day.
  const date = /^[A-Z][a-z]{2}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowEpochMs);
};

/** After a server asked for a pause, no call of anybody reaches it before the pause is over. */
export const respectRetryAfter = (options: { readonly clock?: Clock | undefined } = {}): Policy => {
  const clock = options.clock ?? systemClock;
  let notBefore = Number.NEGATIVE_INFINITY;
  return async (context, next) => {
    const waitMs = Math.ceil(notBefore - clock.now());
    if (waitMs > 0) {
      throw new PlugboardError('RATE_LIMITED', `The server "${context.serverName}" asked for a pause.`, {
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
