import { PlugboardError } from '@plugboard/contract';

export const cancelled = (cause?: unknown): PlugboardError =>
  new PlugboardError('CANCELLED', 'The request was cancelled before it was finished.', { cause });

const reasonOf = (signal: AbortSignal): PlugboardError =>
  signal.reason instanceof PlugboardError ? signal.reason : cancelled(signal.reason);

/** Waits for work that may not heed the signal itself: aborting ends the wait, with the reason of the abort. */
export const abortable = async <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> => {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(reasonOf(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => undefined);
  }
};
