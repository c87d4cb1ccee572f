import type { Clock } from '@plugboard/client';
import { type LimitAsk, type LimitGrant, PLACES_MS } from '@plugboard/contract';
import { BUSY_RETRY_MS, burstOf, MS_PER_MINUTE, type Quota, type QuotaLimit } from '../quota/quota.js';

export interface SharedQuotaOptions {
  readonly limit: QuotaLimit;
  /** Whom it counts for, the same in every process. */
  readonly subject: string;
  readonly clock: Clock;
  /** 1 / the number of processes. */
  readonly share: () => number;
  /** Does the store not answer? Then this process uses its share of the limit, and no more. */
  readonly isCutOff: () => boolean;
  /** Called when a call is refused that the store may have room for. */
  readonly hurry: () => void;
}

/** After so much time without a call, tokens and places return to the others. */
const IDLE_MS = 2000;
/** Places count as lost this long before another process can have them. */
const MARGIN_MS = 1500;
const MIN_RETRY_MS = 250;

/**
 * What is left for somebody where several processes serve everybody. Calls are decided from what this process holds of the
 * limit: tokens and places that it got from the store ahead of need. Nobody has asked the store for the first calls of
 * somebody: this process takes its share of the burst then, and the store charges it afterwards.
 */
export class SharedQuota implements Quota {
  readonly #options: SharedQuotaOptions;
  readonly #burst: number;
  #running = 0;
  #refused = 0;
  #tokens = 0;
  /** Tokens that were taken without asking. */
  #charge = 0;
  /** What the store had left when it was last asked. */
  #level: number;
  #places: { readonly count: number; readonly until: number } | undefined;
  /** Has nobody called since all was returned and the bucket was full? */
  #isFresh = true;
  #filledAt: number;
  #usedAt: number;
  #askedAt = -Infinity;

  constructor(options: SharedQuotaOptions) {
    this.#options = options;
    this.#burst = burstOf(options.limit.perMinute ?? 0);
    this.#level = this.#burst;
    this.#filledAt = options.clock.now();
    this.#usedAt = this.#filledAt;
  }

  /** Unused since the store was full: no request to the store is needed. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** When the store was last asked about it. */
  get askedAt(): number {
    return this.#askedAt;
  }

  waitMs(): number {
    const { limit, hurry } = this.#options;
    const { concurrent, perMinute } = limit;
    this.#usedAt = this.#now();
    if (this.#isFresh) this.#takeShare();
    if (concurrent !== undefined && this.#running >= this.#placesNow(concurrent)) {
      this.#refused += 1;
      hurry();
      return BUSY_RETRY_MS;
    }
    if (perMinute === undefined) return 0;
    this.#fillWhenCutOff(perMinute);
    if (this.#tokens >= 1) return 0;
    hurry();
    return Math.max(MIN_RETRY_MS, Math.ceil(((1 - this.#left()) / perMinute) * MS_PER_MINUTE));
  }

  enter(): void {
    this.#running += 1;
    if (this.#options.limit.perMinute !== undefined) this.#tokens -= 1;
  }

  leave(): void {
    this.#running -= 1;
  }

  /** What this process asks of the store now; undefined when it has nothing to ask. */
  ask(): LimitAsk | undefined {
    if (this.#isFresh) return undefined;
    const { subject, limit } = this.#options;
    const { concurrent, perMinute } = limit;
    this.#askedAt = this.#now();
    const isIdle = this.#isIdle();
    let returned = 0;
    if (isIdle) {
      returned = Math.floor(this.#tokens);
      this.#tokens -= returned;
    }
    const busy = this.#running + this.#refused;
    const charge = this.#charge - returned;
    this.#charge = 0;
    this.#refused = 0;
    return {
      subject,
      rate:
        perMinute === undefined
          ? undefined
          : {
              perMinute,
              burst: this.#burst,
              charge,
              want: isIdle ? 0 : Math.max(0, Math.floor(this.#shareOfBurst() - this.#tokens)),
            },
      places:
        concurrent === undefined
          ? undefined
          : {
              limit: concurrent,
              running: this.#running,
              want: isIdle ? 0 : Math.min(concurrent, Math.max(busy, this.#shareOfPlaces(concurrent))),
            },
    };
  }

  granted({ tokens, level, places }: LimitGrant): void {
    const { concurrent, perMinute } = this.#options.limit;
    this.#tokens += tokens;
    this.#level = level;
    if (concurrent !== undefined) this.#places = { count: places, until: this.#askedAt + PLACES_MS - MARGIN_MS };
    const isFull = perMinute === undefined || level >= this.#burst;
    // Somebody who comes back later finds a full bucket: the share may be taken without asking again.
    if (isFull && this.#isIdle() && this.#tokens < 1) this.#isFresh = true;
  }

  /** The store did not answer. What it may have charged is charged again. */
  failed({ rate }: LimitAsk): void {
    this.#charge += Math.max(0, rate?.charge ?? 0);
  }

  #takeShare(): void {
    this.#isFresh = false;
    this.#places = undefined;
    if (this.#options.limit.perMinute === undefined) return;
    const share = Math.floor(this.#shareOfBurst());
    this.#tokens += share;
    this.#charge += share;
  }

  #placesNow(concurrent: number): number {
    const held = this.#places;
    return held !== undefined && this.#now() < held.until ? held.count : this.#shareOfPlaces(concurrent);
  }

  #fillWhenCutOff(perMinute: number): void {
    const now = this.#now();
    const { isCutOff, share } = this.#options;
    if (isCutOff()) {
      const filled = this.#tokens + ((now - this.#filledAt) / MS_PER_MINUTE) * perMinute * share();
      this.#tokens = Math.max(this.#tokens, Math.min(this.#shareOfBurst(), filled));
    }
    this.#filledAt = now;
  }

  /** What a call may hope for: what is left for all, or, without the store, what this process has. */
  #left(): number {
    return this.#options.isCutOff() ? this.#tokens : Math.min(0, this.#level);
  }

  #isIdle(): boolean {
    return this.#running === 0 && this.#now() - this.#usedAt >= IDLE_MS;
  }

  #shareOfBurst(): number {
    return Math.max(1, this.#burst * this.#options.share());
  }

  /** One call at a time is always possible, however many processes there are. */
  #shareOfPlaces(concurrent: number): number {
    return Math.max(1, Math.floor(concurrent * this.#options.share()));
  }

  #now(): number {
    return this.#options.clock.now();
  }
}
