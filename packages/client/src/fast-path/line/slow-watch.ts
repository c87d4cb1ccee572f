import { Chain, type ChainLink } from '../http1/chain.js';

/** Something that is on its way and must not take too long. */
export interface Watched extends ChainLink<Watched> {
  /** When it began to wait. */
  since: number;
  tooSlow(): void;
}

const TICK_MS = 250;

/** A call that takes longer has time for the full path, where deadlines and signs of life are. */
const SLOW_MS = 1000;

/** How many times that, where there are signs of life: the full path knows the limits of long calls. */
const MAX_RENEWED = 30;

/** How long calls that may take `callMs` stay on the fast path. */
export const patienceOf = (callMs: number): number => Math.min(SLOW_MS, callMs / 2);

/** One timer for all calls in flight. It checks them periodically, so no call needs its own timer. */
export class SlowWatch {
  readonly #limitMs: number;
  /** In the order in which they began, for all have the same time. */
  readonly #watched = new Chain<Watched>();
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** `tickMs` is how late it may notice: the longer, the more of them are dealt with at once. */
  constructor(limitMs: number, tickMs = TICK_MS) {
    this.#limitMs = limitMs;
    this.#tickMs = Math.min(tickMs, limitMs / 2);
  }

  add(watched: Watched): void {
    this.#watched.append(watched);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#look(), this.#tickMs);
    this.#timer.unref();
  }

  /** There was a sign of life: it has the same time again, as long as the whole does not take too long. */
  renew(watched: Watched, startedAt: number): void {
    const now = performance.now();
    if (now - startedAt > this.#limitMs * MAX_RENEWED) return;
    this.#watched.remove(watched);
    watched.since = now;
    this.add(watched);
  }

  remove(watched: Watched): void {
    this.#watched.remove(watched);
  }

  #look(): void {
    const limit = performance.now() - this.#limitMs;
    for (let oldest = this.#watched.first; oldest !== undefined; oldest = this.#watched.first) {
      if (oldest.since > limit) return;
      this.#watched.remove(oldest);
      oldest.tooSlow();
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
