import type { Clock } from '@plugboard/client';

export interface QuotaOptions {
  readonly concurrent?: number | undefined;
  readonly perMinute?: number | undefined;
}

const MS_PER_MINUTE = 60_000;
/** How long to wait for a place: nobody knows, so a moment. */
const BUSY_RETRY_MS = 1000;
/** Ten seconds' worth of the rate may be used at once. */
const BURST_SHARE = 6;

/** How many calls somebody may make at once and a minute. */
export class Quota {
  readonly #options: QuotaOptions;
  readonly #clock: Clock;
  readonly #burst: number;
  #running = 0;
  #tokens: number;
  #filledAt: number;

  constructor(options: QuotaOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#burst = Math.max(1, Math.ceil((options.perMinute ?? 0) / BURST_SHARE));
    this.#tokens = this.#burst;
    this.#filledAt = clock.now();
  }

  /** How long until a call may be made: 0 when it may be made now. */
  waitMs(): number {
    const { concurrent, perMinute } = this.#options;
    if (concurrent !== undefined && this.#running >= concurrent) return BUSY_RETRY_MS;
    if (perMinute === undefined) return 0;
    this.#fill(perMinute);
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / perMinute) * MS_PER_MINUTE);
  }

  enter(): void {
    this.#running += 1;
    if (this.#options.perMinute !== undefined) this.#tokens -= 1;
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
