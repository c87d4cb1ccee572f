/**
 * Work that takes milliseconds, such as reading a large body: one piece in each turn of the event loop, and callers take
 * turns. However much one of them sends, others wait for one piece of it.
 */
export class HeavyTurns {
  readonly #waiting = new Map<string, (() => void)[]>();

  /** @param holder on whose behalf. */
  take(holder: string, work: () => void): void {
    const isFirst = this.#waiting.size === 0;
    const mine = this.#waiting.get(holder);
    if (mine === undefined) this.#waiting.set(holder, [work]);
    else mine.push(work);
    if (isFirst) setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const [turn] = this.#waiting;
    if (turn === undefined) return;
    const [holder, mine] = turn;
    const work = mine.shift();
    this.#waiting.delete(holder);
    if (mine.length > 0) this.#waiting.set(holder, mine);
    if (this.#waiting.size > 0) setImmediate(this.#next);
    work?.();
  };
}
