/** A smaller part costs much more than its bytes when it is kept as an object of its own. */
const SMALL_BYTES = 1024;
/** So many parts are kept as they came: most messages have fewer. */
const FREE_PARTS = 16;
const FIRST_BLOCK_BYTES = 4 * 1024;
const MAX_BLOCK_BYTES = 64 * 1024;

/**
 * Bytes that a stranger sends in parts of any size. Many small parts are copied into blocks, so that what is kept takes about
 * as much memory as its bytes: a byte in an object of its own takes more than a hundred.
 */
export class ByteParts {
  #parts: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  /** The place in the block that is filled but not yet among the parts. */
  #start = 0;
  #end = 0;

  push(part: Uint8Array): void {
    if (part.length === 0) return;
    if (part.length >= SMALL_BYTES || this.#parts.length < FREE_PARTS) {
      this.#seal();
      this.#parts.push(part);
      return;
    }
    const block = this.#blockFor(part.length);
    block.set(part, this.#end);
    this.#end += part.length;
  }

  /** All parts in their order; from now on there are none. */
  take(): Uint8Array[] {
    this.#seal();
    const parts = this.#parts;
    this.#parts = [];
    this.#block = undefined;
    return parts;
  }

  #blockFor(bytes: number): Uint8Array {
    const block = this.#block;
    if (block !== undefined && this.#end + bytes <= block.length) return block;
    this.#seal();
    const next = new Uint8Array(block === undefined ? FIRST_BLOCK_BYTES : Math.min(block.length * 4, MAX_BLOCK_BYTES));
    this.#block = next;
    this.#start = 0;
    this.#end = 0;
    return next;
  }

  #seal(): void {
    if (this.#block === undefined || this.#end === this.#start) return;
    this.#parts.push(this.#block.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }
}
