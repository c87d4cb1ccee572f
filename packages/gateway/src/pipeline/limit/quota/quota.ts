import type { Clock } from '@plugboard/client';

/** How many calls somebody may make at once and a minute. */
export interface QuotaLimit {
  readonly concurrent?: number | undefined;
  readonly perMinute?: number | undefined;
}

/** Counts the calls of somebody. */
export interface Quota {
  /** How long until a call may be made: 0 when it may be made now. */
  waitMs(): number;
  enter(): void;
  leave(): void;
}

export const MS_PER_MINUTE = 60_000;
/** How long to wait for a place: nobody knows, so a moment. */
export const BUSY_RETRY_MS = 1000;
/** Ten seconds' worth of the rate may be used at once. */
const BURST_SHARE = 6;

export const burstOf = (perMinute: number): number => Math.max(1, Math.ceil(perMinute / BURST_SHARE));

/** What is left for somebody where one process serves everybody. */
export class OwnQuota implements Quota {
  readonly #limit: QuotaLimit;
  readonly #clock: Clock;
  readonly #burst: number;
  #running = 0;
  #tokens: number;
  #filledAt: number;

  constructor(limit: QuotaLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#burst = burstOf(limit.perMinute ?? 0);
    this.#tokens = this.#burst;
    this.#filledAt = clock.now();
  }

  waitMs(): number {
    const { concurrent, perMinute } = this.#limit;
    if (concurrent !== undefined && this.#running >= concurrent) return BUSY_RETRY_MS;
    if (perMinute === undefined) return 0;
    this.#fill(perMinute);
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / perMinute) * MS_PER_MINUTE);
  }

  enter(): void {
    this.#running += 1;
    if (this.#limit.perMinute !== undefined) this.#tokens -= 1;
  }

  leave(): void {
    this.#running -= 1;
  }

  #fill(perMinute: number): void {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAt) / MS_PER_MINUTE) * perMinute);
    this.#filledAt = now;
  }
}
