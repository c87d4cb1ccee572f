import { createHash } from 'node:crypto';

export type Row = Readonly<Record<string, unknown>>;

const BITS = 128;
const HEX_DIGITS = BITS / 4;

/** Tells sets of rows apart, in whatever order they come. */
export class RowDigest {
  #count = 0;
  #sum = 0n;

  add(row: Row): void {
    const text = JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
    const hash = createHash('sha256').update(text).digest('hex').slice(0, HEX_DIGITS);
    this.#count += 1;
    this.#sum = BigInt.asUintN(BITS, this.#sum + BigInt(`0x${hash}`));
  }

  get count(): number {
    return this.#count;
  }

  equals(other: RowDigest): boolean {
    return this.#count === other.#count && this.#sum === other.#sum;
  }
}
