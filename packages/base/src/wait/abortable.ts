import { deferred } from './deferred.js';

/** What a waiter gets when its signal ends the wait: the reason of the abort, unless something else is wanted. */
export type AbortFailure = (signal: AbortSignal) => unknown;

const reasonOf: AbortFailure = (signal) => signal.reason as unknown;

/** Waits for work that somebody else owns, or that may not heed the signal: aborting ends the wait, not the work. */
export const abortable = async <Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  failure: AbortFailure = reasonOf,
): Promise<Result> => {
  if (signal.aborted) {
    work.catch(() => undefined);
    throw failure(signal);
  }
  const { promise: aborted, reject } = deferred<never>();
  const onAbort = (): void => reject(failure(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};
