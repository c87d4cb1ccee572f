import type { Clock } from '../clock.js';

export interface FakeClock extends Clock {
  /** Moves time on and runs what is due, in order; lets promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Timers that were neither run nor taken back. */
  pending(): number;
}

/** Lets everything that is already resolved run its course. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

export const createFakeClock = (): FakeClock => {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const due = [...timers].filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at)[0];
        if (due === undefined) break;
        timers.delete(due);
        now = Math.max(now, due.at);
        due.run();
        await settle();
      }
      now = end;
    },
    pending: () => timers.size,
  };
};
