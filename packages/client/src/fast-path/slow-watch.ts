import { Chain, type ChainLink } from './http1/chain.js';

/** Something that is on its way and must not take too long. */
export interface Watched extends ChainLink<Watched> {
  readonly startedAt: number;
  tooSlow(): void;
}

const TICK_MS = 250;

/** A call that takes longer has time for the full path, where deadlines and signs of life are. */
const SLOW_MS = 1000;

/** How long calls that may take `callMs` stay on the fast path. */
export const patienceOf = (callMs: number): number => Math.min(SLOW_MS, callMs / 2);

/** One timer for everything that is under way: it looks now and then, so nothing costs a timer of its own. */
export class SlowWatch {
  readonly #limitMs: number;
  /** In the order in which they began, for all have the same time. */
  readonly #watched = new Chain<Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  add(watched: Watched): void {
    this.#watched.append(watched);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#look(), Math.min(TICK_MS, this.#limitMs / 2));
    this.#timer.unref();
  }

  remove(watched: Watched): void {
    this.#watched.remove(watched);
  }

  #look(): void {
    const limit = performance.now() - this.#limitMs;
    for (let oldest = this.#watched.first; oldest !== undefined; oldest = this.#watched.first) {
      if (oldest.startedAt > limit) return;
      this.#watched.remove(oldest);
      oldest.tooSlow();
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
