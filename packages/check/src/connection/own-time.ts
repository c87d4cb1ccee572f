import { NoAnswer } from './no-answer.js';

const TICK_MS = 100;

/** A pause of the machine makes one tick take long; it counts no more than this. */
const MAX_COUNTED_MS = 3 * TICK_MS;

/**
 * A deadline in the time that belongs to the work. Neither the pauses of a busy machine, in which this process did not run,
 * nor the controls that `aside` carries out count: a verdict must not depend on either.
 */
export class OwnTime {
  #used = 0;
  #asides = 0;

  /** The promise, or a NoAnswer when it takes more than so many milliseconds of its own time. */
  within<T>(promise: Promise<T>, { ms, what }: { readonly ms: number; readonly what: string }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let last = performance.now();
      const timer = setInterval(() => {
        const now = performance.now();
        if (this.#asides === 0) this.#used += Math.min(now - last, MAX_COUNTED_MS);
        last = now;
        if (this.#used < ms) return;
        clearInterval(timer);
        reject(new NoAnswer(`No ${what} within ${ms} ms.`));
      }, TICK_MS);
      promise.then(resolve, reject).finally(() => clearInterval(timer));
    });
  }

  /** Something that has a deadline of its own and is no part of the work. */
  async aside<T>(act: () => Promise<T>): Promise<T> {
    this.#asides += 1;
    try {
      return await act();
    } finally {
      this.#asides -= 1;
    }
  }
}
