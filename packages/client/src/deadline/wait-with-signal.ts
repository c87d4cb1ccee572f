import type { Delivery } from '../error/client-error.js';
import { abortedError } from '../error/aborted-error.js';
import { deferred } from './deferred.js';

/** Waits for a promise that somebody else owns; aborting ends the wait, not the work. */
export const waitWithSignal = async <T>(work: Promise<T>, signal: AbortSignal, delivery: Delivery): Promise<T> => {
  if (signal.aborted) {
    work.catch(() => undefined);
    throw abortedError(signal, delivery);
  }
  const { promise: aborted, reject } = deferred<never>();
  const onAbort = (): void => reject(abortedError(signal, delivery));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};
