import { NoAnswer } from './no-answer.js';

export interface Deadline {
  readonly ms: number;
  /** What is waited for, for the sentence of the failure. */
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
}

/** The promise, or a NoAnswer when it takes too long or the run is cancelled. */
export const within = <T>(promise: Promise<T>, { ms, what, signal }: Deadline): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const cancel = (): void => settle(() => reject(new NoAnswer(`The run was cancelled while waiting for ${what}.`)));
    const timer = setTimeout(() => settle(() => reject(new NoAnswer(`No ${what} within ${ms} ms.`))), ms);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      act();
    };
    if (signal?.aborted === true) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error instanceof Error ? error : new Error(String(error)))),
    );
  });

/** Resolves after so many milliseconds, or at once when the signal fires. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  });

/** Resolves with the promise, or at once when the signal fires. */
export const unlessAborted = async (promise: Promise<unknown>, signal: AbortSignal): Promise<void> => {
  const isOver = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: isOver.signal });
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    isOver.abort();
  }
};
