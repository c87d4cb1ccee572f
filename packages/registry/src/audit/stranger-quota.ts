const WINDOW_MS = 60_000;
const PER_WINDOW = 60;

/**
 * How many entries strangers may cause in the audit trail: they could fill the disk otherwise, and push out what others did
 * while the store cannot be written.
 */
export class StrangerQuota {
  #since = Number.NEGATIVE_INFINITY;
  #taken = 0;
  /** Left out in windows that have ended. */
  #untold = 0;

  /** May one more be written at this time? */
  take(now: number): boolean {
    this.#turn(now);
    this.#taken += 1;
    return this.#taken <= PER_WINDOW;
  }

  /** How many were left out in windows that have ended; each counts once. */
  leftOutBefore(now: number): number {
    this.#turn(now);
    const count = this.#untold;
    this.#untold = 0;
    return count;
  }

  /** The same, with the window that has not ended. */
  leftOut(): number {
    return this.leftOutBefore(Number.POSITIVE_INFINITY);
  }

  #turn(now: number): void {
    // A clock that was set back also starts a new window.
    if (Math.abs(now - this.#since) < WINDOW_MS) return;
    this.#untold += Math.max(0, this.#taken - PER_WINDOW);
    this.#since = now;
    this.#taken = 0;
  }
}
