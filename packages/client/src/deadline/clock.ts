import { abortedError } from '../error/aborted-error.js';

/** Time as policies see it: given as an argument, so that tests own it. */
export interface Clock {
  /** Milliseconds that never go back. */
  now(): number;
  /** Runs the callback once, later; the result takes it back. */
  after(ms: number, run: () => void): () => void;
}

/** setTimeout fires at once beyond this. */
const longestTimerMs = 2_147_483_647;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, ms), longestTimerMs));
    return () => clearTimeout(timer);
  },
};

/** A number in [0, 1). */
export type Random = () => number;

/** Waits; an abort ends the wait at once. */
export const sleep = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortedError(signal, 'not-executed'));
      return;
    }
    const onAbort = (): void => {
      takeBack();
      reject(abortedError(signal, 'not-executed'));
    };
    const takeBack = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
