import { readdirSync } from 'node:fs';
import { constants, getPriority, platform, setPriority } from 'node:os';
import { pid } from 'node:process';

/** A quarter of the weight where both want the same processor. */
const LOWER_BY = 6;

const threads = (): readonly number[] => readdirSync('/proc/self/task').map(Number);

/**
 * The threads of the runtime mark garbage and compile, those of other parts of the hub too. On a machine with few processors
 * the event loop had to wait for them, and all callers with it. Linux has a priority for each thread; elsewhere they stay
 * as they are. Returns how many were lowered.
 */
export const putEventLoopFirst = (): number => {
  if (platform() !== 'linux') return 0;
  let lowered = 0;
  try {
    const own = getPriority(pid);
    const lower = Math.min(constants.priority.PRIORITY_LOW, own + LOWER_BY);
    for (const thread of threads()) {
      // Any other was given its priority by somebody who knew why.
      if (thread === pid || getPriority(thread) !== own) continue;
      setPriority(thread, lower);
      lowered += 1;
    }
  } catch {
    // A thread ended meanwhile, or this system shows or permits none of it. Nothing depends on it.
  }
  return lowered;
};
