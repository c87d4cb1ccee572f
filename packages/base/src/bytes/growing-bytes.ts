import { Resizable, type ResizableArrayBuffer } from './page-bytes.js';

/** Addresses that are set aside at first; memory is taken only for what is there. */
const FIRST_RESERVE = 64 * 1024 * 1024;

/** Bytes that come in pieces, one after the other in memory from the system as `pageBytes` has it. */
export class GrowingBytes {
  #buffer: ResizableArrayBuffer;
  #reserve: number;

  constructor(reserve = FIRST_RESERVE) {
    this.#reserve = reserve;
    this.#buffer = new Resizable(0, { maxByteLength: reserve });
  }

  append(piece: Uint8Array): void {
    const start = this.#buffer.byteLength;
    const end = start + piece.length;
    if (end > this.#reserve) this.#move(end);
    this.#buffer.resize(end);
    new Uint8Array(this.#buffer, start, piece.length).set(piece);
  }

  /** All of it; nothing may be appended any more. */
  whole(): Buffer {
    return Buffer.from(this.#buffer, 0, this.#buffer.byteLength);
  }

  #move(bytes: number): void {
    const before = this.#buffer;
    while (this.#reserve < bytes) this.#reserve *= 2;
    this.#buffer = new Resizable(before.byteLength, { maxByteLength: this.#reserve });
    new Uint8Array(this.#buffer).set(new Uint8Array(before));
    before.resize(0);
  }
}
