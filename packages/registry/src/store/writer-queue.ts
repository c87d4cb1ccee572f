import { isLockTimeout, storeIsBusy } from './store-error.js';

/**
 * Lets the writers of one process through one after the other. So a process that is cut off has one place in the line of the
 * database, and keeps the others waiting once. Nobody waits longer than the patience.
 */
export class WriterQueue {
  readonly #patienceMs: number;
  readonly #waiting = new Set<() => void>();
  #isTaken = false;

  constructor({ patienceMs }: { readonly patienceMs: number }) {
    this.#patienceMs = patienceMs;
  }

  /** @param transact calls its argument when other processes let it write; before that it may be run again */
  async run<Result>(transact: (onTurn: () => void) => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + this.#patienceMs;
    await this.#enter();
    try {
      for (;;) {
        let hasBegun = false;
        try {
          return await transact(() => (hasBegun = true));
        } catch (thrown) {
          if (hasBegun || !isLockTimeout(thrown) || performance.now() >= deadline) throw thrown;
        }
      }
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(storeIsBusy());
      }, this.#patienceMs);
      this.#waiting.add(begin);
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#isTaken = false;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
