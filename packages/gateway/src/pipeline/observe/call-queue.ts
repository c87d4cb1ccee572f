import type { CallRecord, CallSink } from './call-record.js';

export interface CallQueueOptions {
  /** Everybody who wants to know of finished requests. */
  readonly sinks: readonly CallSink[];
  readonly onInternalError: (error: unknown) => void;
  /** How long a record may wait. */
  readonly delayMs?: number | undefined;
}

const DELAY_MS = 25;
const MAX_WAITING = 1000;

/**
 * Gathers finished requests and tells of many at once: counting and writing down a hundred in a row costs a fraction of
 * doing it a hundred times in between other work. Readers of the counts ask for the rest first.
 */
export class CallQueue {
  readonly #options: CallQueueOptions;
  #waiting: CallRecord[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  readonly add = (record: CallRecord): void => {
    this.#waiting.push(record);
    if (this.#waiting.length >= MAX_WAITING) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), this.#options.delayMs ?? DELAY_MS).unref();
  };

  /** Tells of everything that happened so far. What a sink throws harms nobody else. */
  readonly flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const records = this.#waiting;
    this.#waiting = [];
    for (const sink of this.#options.sinks) {
      for (const record of records) {
        try {
          sink(record);
        } catch (thrown) {
          this.#options.onInternalError(thrown);
        }
      }
    }
  };
}
