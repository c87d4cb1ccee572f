import { randomFillSync } from 'node:crypto';

/** The lower part of an id counts, so that none comes twice; the upper part cannot be guessed. */
const COUNT_BITS = 18;
const COUNTS = 2 ** COUNT_BITS;
const POOL = 256;

/**
 * Ids of requests on the wire. An answer is known by its id, also on a connection that several callers share: nobody who
 * can put an answer there may know the id of the next request. At most 15 digits, so that every server reads the same number.
 */
export class RequestIds {
  readonly #pool = new Uint32Array(POOL);
  #left = 0;
  #count = 0;

  next(): number {
    if (this.#left === 0) {
      randomFillSync(this.#pool);
      this.#left = POOL;
    }
    this.#left -= 1;
    this.#count = (this.#count + 1) % COUNTS;
    // 31 of its 32 bits, and never zero there: ids of a few digits could stand anywhere by chance.
    const unknown = ((this.#pool[this.#left] as number) >>> 1) | (1 << 30);
    return unknown * COUNTS + this.#count;
  }
}
