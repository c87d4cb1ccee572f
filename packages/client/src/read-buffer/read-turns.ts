/** So much is read in one turn of the event loop on behalf of large messages: a tenth of a millisecond or two. */
const BYTES_PER_TURN = 256 * 1024;

/**
 * Large messages are read a part in each turn of the event loop, so that small ones wait for one part and not for all of
 * them. Who has read enough stops, stands at the end of the queue, and one of them goes on in each turn.
 */
export class ReadTurns {
  readonly #waiting: (() => void)[] = [];
  #left = BYTES_PER_TURN;
  #isScheduled = false;

  /** True when the part of this turn is used up: then stop reading, and `wait`. */
  spend(bytes: number): boolean {
    this.#left -= bytes;
    this.#schedule();
    return this.#left <= 0;
  }

  /** @param goOn is called once, in a later turn. */
  wait(goOn: () => void): void {
    this.#waiting.push(goOn);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.#left = BYTES_PER_TURN;
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#schedule();
  };
}

/** There is one event loop, and this is its share for large messages. */
export const READ_TURNS = new ReadTurns();
