import { sleep, type Clock } from './clock.js';
import type { CallContext } from './policy.js';

/** How often a caller who can be told is told that the wait goes on. */
const TELL_MS = 5_000;

/** May the caller be kept waiting so long? */
export const hasPatience = (context: CallContext, ms: number): boolean =>
  context.patienceMs === undefined || ms <= context.patienceMs;

/** Waits before an attempt, and tells the caller now and then that it does. */
export const waitOut = async (clock: Clock, ms: number, context: CallContext): Promise<void> => {
  for (let leftMs = ms; leftMs > 0; leftMs -= TELL_MS) {
    context.onWait?.(Math.ceil(leftMs));
    await sleep(clock, Math.min(leftMs, TELL_MS), context.signal);
  }
};
