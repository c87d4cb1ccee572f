import { sleep, type Clock } from '../deadline/clock.js';
import type { CallContext } from './policy.js';

/** How often the caller is told that the wait continues. */
const TELL_MS = 5_000;

/** May the caller wait this long? */
export const hasPatience = (context: CallContext, ms: number): boolean =>
  context.patienceMs === undefined || ms <= context.patienceMs;

/** Waits before an attempt, and tells the caller every few seconds. */
export const waitOut = async (clock: Clock, ms: number, context: CallContext): Promise<void> => {
  for (let leftMs = ms; leftMs > 0; leftMs -= TELL_MS) {
    context.onWait?.(Math.ceil(leftMs));
    await sleep(clock, Math.min(leftMs, TELL_MS), context.signal);
  }
};
