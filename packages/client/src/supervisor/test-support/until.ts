import { setTimeout as delay } from 'node:timers/promises';

const deadlineMs = 20_000;

/** Waits for something that other processes bring about; the deadline is generous, the poll is short. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + deadlineMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`never came true: ${what}`);
    await delay(20);
  }
};
