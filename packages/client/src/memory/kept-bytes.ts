import { pageBytes } from '@plugboard/base';

/** A read of so many bytes is a part of a large answer. */
const LARGE_READ_BYTES = 32 * 1024;
const BLOCK_BYTES = 256 * 1024;

/** Copies what was read, so that the place it was read into can be used again. Large reads share blocks of pages. */
export class KeptBytes {
  #block: Uint8Array = new Uint8Array(0);
  #used = 0;

  keep(read: Uint8Array): Buffer {
    if (read.length < LARGE_READ_BYTES) return Buffer.from(read);
    if (this.#used + read.length > this.#block.length) {
      this.#block = pageBytes(Math.max(BLOCK_BYTES, read.length));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += read.length;
    this.#block.set(read, start);
    return Buffer.from(this.#block.buffer, start, read.length);
  }
}
