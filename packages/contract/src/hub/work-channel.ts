import { channel } from 'node:diagnostics_channel';

/** Something that took the processor for a while. */
export interface WorkNote {
  readonly what: string;
  readonly ms: number;
}

export const WORK_CHANNEL = 'plugboard:work';

/** Shorter work is not worth a word. */
const NOTABLE_MS = 20;

const work = channel(WORK_CHANNEL);

/** Does work that can take long on large input, and announces it, so that the watchdog of the event loop can name it. */
export const timedWork = <Result>(what: () => string, run: () => Result): Result => {
  if (!work.hasSubscribers) return run();
  const startedAt = performance.now();
  try {
    return run();
  } finally {
    const ms = performance.now() - startedAt;
    if (ms >= NOTABLE_MS) work.publish({ what: what(), ms } satisfies WorkNote);
  }
};
