import { pageBytes, releasePageBytes } from '@plugboard/base';

/** Fewer and larger pieces cost less to pass on. */
const PIECE_BYTES = 256 * 1024;
const MAX_SPARE = 32;

/** Memory of pieces that were passed on and came back. New memory costs more than what is written into it. */
export class PieceStock {
  readonly #spare: Uint8Array[] = [];

  take(): Uint8Array {
    return this.#spare.pop() ?? pageBytes(PIECE_BYTES);
  }

  put(piece: Uint8Array): void {
    if (this.#spare.length < MAX_SPARE) this.#spare.push(piece);
  }

  clear(): void {
    // At once, and not when garbage is collected next.
    for (const piece of this.#spare.splice(0)) releasePageBytes(piece);
  }
}

export interface Piece {
  /** Memory of its own, so that it is moved instead of copied once more. */
  readonly piece: Uint8Array;
  /** How much of it is filled. */
  readonly bytes: number;
}

/** Copies what comes into larger pieces. */
export class Pieces {
  readonly #stock: PieceStock;
  readonly #send: (piece: Piece) => void;
  #piece: Uint8Array | undefined;
  #bytes = 0;

  constructor(stock: PieceStock, send: (piece: Piece) => void) {
    this.#stock = stock;
    this.#send = send;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      this.#piece ??= this.#stock.take();
      const part = chunk.subarray(at, at + this.#piece.length - this.#bytes);
      this.#piece.set(part, this.#bytes);
      this.#bytes += part.length;
      at += part.length;
      if (this.#bytes === this.#piece.length) this.flush();
    }
  }

  flush(): void {
    const piece = this.#piece;
    if (piece === undefined) return;
    const bytes = this.#bytes;
    this.#piece = undefined;
    this.#bytes = 0;
    this.#send({ piece, bytes });
  }
}
