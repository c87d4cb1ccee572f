import { setTimeout as wait } from 'node:timers/promises';
import { isConnectionFailure, isLockTimeout, storeIsBusy } from './store-error.js';

/** A restart or a failover of the database often takes no longer. */
const RECONNECT_MS = 3000;
const PAUSE_MS = 100;

export interface WriterQueueOptions {
  /** How long a writer waits for its turn. */
  readonly patienceMs: number;
  /** How long after the beginning of an outage writers connect again and again. */
  readonly reconnectMs?: number | undefined;
}

/**
 * Lets the writers of one process through one after the other. So a process that is cut off has one place in the line of the
 * database, and keeps the others waiting once. Nobody waits longer than the patience.
 *
 * A writer whose connection broke before its turn has written nothing, so it connects again: once in any case, since the
 * connection may have died long ago, and as often as it takes in the first seconds of an outage.
 */
export class WriterQueue {
  readonly #patienceMs: number;
  readonly #reconnectMs: number;
  readonly #waiting = new Set<() => void>();
  #isTaken = false;
  /** Since when nobody got a turn because the database could not be reached. */
  #brokenAt: number | undefined;

  constructor({ patienceMs, reconnectMs = RECONNECT_MS }: WriterQueueOptions) {
    this.#patienceMs = patienceMs;
    this.#reconnectMs = reconnectMs;
  }

  /** @param transact calls its argument when other processes let it write; before that it may be run again */
  async run<Result>(transact: (onTurn: () => void) => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + this.#patienceMs;
    await this.#enter();
    try {
      for (let failures = 0; ;) {
        let hasBegun = false;
        try {
          return await transact(() => {
            hasBegun = true;
            this.#brokenAt = undefined;
          });
        } catch (thrown) {
          const isBroken = isConnectionFailure(thrown);
          if (hasBegun || performance.now() >= deadline || !(isBroken || isLockTimeout(thrown))) throw thrown;
          if (isBroken) {
            failures += 1;
            if (!this.#mayReconnect(failures)) throw thrown;
            if (failures > 1) await wait(PAUSE_MS);
          }
        }
      }
    } finally {
      this.#leave();
    }
  }

  /** Is it worth connecting once more after so many failures? */
  #mayReconnect(failures: number): boolean {
    this.#brokenAt ??= performance.now();
    return failures === 1 || performance.now() - this.#brokenAt < this.#reconnectMs;
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
