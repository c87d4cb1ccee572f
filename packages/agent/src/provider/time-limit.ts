import { deadlineSignal, linkSignals } from '@plugboard/base';
import { ModelError } from './error/model-error.js';
import type { AskOptions } from './provider.js';

export const REQUEST_MS = 60_000;
export const STREAM_MS = 600_000;

/** One signal for a request: that of the caller, and the end of its time. */
export class TimeLimit implements Disposable {
  readonly #user: AbortSignal | undefined;
  readonly #deadline: ReturnType<typeof deadlineSignal>;
  readonly #linked: ReturnType<typeof linkSignals>;

  constructor({ signal, timeoutMs }: AskOptions, defaultMs: number) {
    signal?.throwIfAborted();
    this.#user = signal;
    this.#deadline = deadlineSignal(timeoutMs ?? defaultMs);
    this.#linked = linkSignals(signal, this.#deadline.signal);
  }

  get signal(): AbortSignal {
    return this.#linked.signal;
  }

  /** What the caller should see: who cancels gets the own reason, and the end of the time is not called a broken connection. */
  explain(thrown: unknown, provider: string): unknown {
    if (this.#user?.aborted === true) return this.#user.reason;
    return this.#deadline.signal.aborted ? new ModelError('timeout', { provider, cause: thrown }) : thrown;
  }

  [Symbol.dispose](): void {
    this.#linked[Symbol.dispose]();
    this.#deadline[Symbol.dispose]();
  }
}
