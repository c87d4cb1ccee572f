import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; false when the signal ended the wait. */
export const pause = async (ms: number, signal: AbortSignal): Promise<boolean> => {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
};
