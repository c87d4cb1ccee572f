import { isWriteFailure } from './store-error.js';

/** How often a store that failed is tried again at most. */
const RETRY_MS = 2000;

/** Remembers that a write failed, until a trial succeeds. Other writes that succeed may only have been small enough. */
export class WriteHealth {
  readonly #tryWrite: () => Promise<void>;
  #hasFailed = false;
  #triedAt = -Infinity;
  #trial: Promise<void> | undefined;

  constructor(tryWrite: () => Promise<void>) {
    this.#tryWrite = tryWrite;
  }

  /** Hears of everything that an engine throws. */
  note(thrown: unknown): void {
    if (isWriteFailure(thrown)) this.#hasFailed = true;
  }

  /** Writes nothing unless a write failed. */
  async isWritable(): Promise<boolean> {
    if (this.#hasFailed && performance.now() - this.#triedAt >= RETRY_MS) this.#trial ??= this.#try();
    await this.#trial;
    return !this.#hasFailed;
  }

  async #try(): Promise<void> {
    try {
      await this.#tryWrite();
      this.#hasFailed = false;
    } catch {
      // it is tried again later
    } finally {
      this.#triedAt = performance.now();
      this.#trial = undefined;
    }
  }
}
