import { linkSignals } from './linked-signal.js';
import { type AbortFailure, abortable } from './abortable.js';

export interface DeadlineOptions {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  /** The reason of the abort when time is up. */
  readonly expired: () => unknown;
  /** What the caller gets; the reason of the abort when left out. */
  readonly failure?: AbortFailure | undefined;
}

/** Runs work with a signal that ends at the deadline or with the caller's signal, and never waits longer than that. */
export const withDeadline = async <Result>(
  { ms, signal, expired, failure }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(expired()), ms);
  using either = linkSignals(signal, deadline.signal);
  try {
    return await abortable(work(either.signal), either.signal, failure);
  } finally {
    clearTimeout(timer);
  }
};
