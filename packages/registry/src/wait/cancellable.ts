import { abortable } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';

export const cancelled = (cause?: unknown): PlugboardError =>
  new PlugboardError('CANCELLED', 'The request was cancelled before it was finished.', { cause });

/** What a caller gets when a signal ends its wait: the error that is the reason, else CANCELLED. */
export const cancellation = (signal: AbortSignal): PlugboardError =>
  signal.reason instanceof PlugboardError ? signal.reason : cancelled(signal.reason);

/** Waits for work that may not heed the signal itself. */
export const cancellable = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  abortable(work, signal, cancellation);
