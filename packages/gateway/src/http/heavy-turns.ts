/** After a piece of work everybody else has this many times as long. */
const REST = 2;
/** Shorter pieces need no rest: the event loop has other work done before the next one as it is. */
const SHORT_MS = 1;

/**
 * Work that takes milliseconds, such as reading a large body: one piece in each turn of the event loop, and callers take
 * turns. However much one of them sends, others wait for one piece of it. A long piece is followed by a rest, because a
 * call takes several turns of the event loop and would wait for a piece in each of them.
 */
export class HeavyTurns {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #now: () => number;
  #restsUntil = 0;
  #isWorking = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @param holder on whose behalf. */
  take(holder: string, work: () => void): void {
    const isFirst = this.#waiting.size === 0;
    const mine = this.#waiting.get(holder);
    if (mine === undefined) this.#waiting.set(holder, [work]);
    else mine.push(work);
    if (isFirst && !this.#isWorking) this.#schedule();
  }

  /** The same for a piece that has a result. */
  run<Result>(holder: string, work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) =>
      this.take(holder, () => {
        try {
          resolve(work());
        } catch (thrown) {
          reject(thrown);
        }
      }),
    );
  }

  #schedule(): void {
    const restMs = this.#restsUntil - this.#now();
    if (restMs > 0) setTimeout(this.#next, restMs);
    else setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const [turn] = this.#waiting;
    if (turn === undefined) return;
    const [holder, mine] = turn;
    const work = mine.shift();
    this.#waiting.delete(holder);
    if (mine.length > 0) this.#waiting.set(holder, mine);
    this.#isWorking = true;
    const startedAt = this.#now();
    try {
      work?.();
    } finally {
      const now = this.#now();
      const tookMs = now - startedAt;
      this.#restsUntil = tookMs > SHORT_MS ? now + tookMs * REST : now;
      this.#isWorking = false;
      if (this.#waiting.size > 0) this.#schedule();
    }
  };
}
