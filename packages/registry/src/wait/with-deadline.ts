import type { PlugboardError } from '@plugboard/contract';
import { abortable } from './abortable.js';

export interface DeadlineOptions {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  /** What the caller gets when time is up. */
  readonly expired: () => PlugboardError;
}

/** Runs work with a signal that ends at the deadline or with the caller's signal, and never waits longer than that. */
export const withDeadline = async <Result>(
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(options.signal?.reason);
  if (options.signal?.aborted === true) onAbort();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => controller.abort(options.expired()), options.ms);
  try {
    return await abortable(work(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
  }
};
