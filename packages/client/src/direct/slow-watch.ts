/** Something that is on its way and must not take too long. */
export interface Watched {
  readonly startedAt: number;
  tooSlow(): void;
}

const TICK_MS = 250;

/** One timer for everything that is under way: it looks now and then, so nothing costs a timer of its own. */
export class SlowWatch {
  readonly #limitMs: number;
  /** In the order in which they began, for all have the same time. */
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#look(), Math.min(TICK_MS, this.#limitMs / 2));
    this.#timer.unref();
  }

  remove(watched: Watched): void {
    this.#watched.delete(watched);
  }

  #look(): void {
    const limit = performance.now() - this.#limitMs;
    for (const watched of this.#watched) {
      if (watched.startedAt > limit) break;
      this.#watched.delete(watched);
      watched.tooSlow();
    }
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
