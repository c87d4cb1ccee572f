import { pause, unlessAborted } from '../../connection/deadline.js';
import type { Caller } from './caller.js';
import type { Tally } from './tally.js';

export interface LoopLimits {
  readonly ms: number;
  /** At most so many calls. */
  readonly calls?: number;
  readonly signal: AbortSignal;
}

/** A server that refuses at once would otherwise be asked without end, and without a pause for anybody else. */
const AFTER_FAILURE_MS = 5;

/** Each caller calls again as soon as it has its answer. Calls that are open when the signal fires are not waited for. */
export const closedLoop = async (
  callers: readonly Caller[],
  tally: Tally,
  { ms, calls = Number.POSITIVE_INFINITY, signal }: LoopLimits,
): Promise<void> => {
  const until = performance.now() + ms;
  let left = calls;
  const callOn = async (caller: Caller): Promise<void> => {
    while (!signal.aborted && performance.now() < until && left > 0) {
      left -= 1;
      const recorded = await caller.call();
      if (signal.aborted) return;
      tally.record(recorded);
      if (recorded.error !== undefined) await pause(AFTER_FAILURE_MS, signal);
    }
  };
  await unlessAborted(Promise.all(callers.map(callOn)), signal);
};
