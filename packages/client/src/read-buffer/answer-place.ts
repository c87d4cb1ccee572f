/** An answer that is longer is not passed on as bytes: to scan it takes too long for the event loop. */
export const FAST_ANSWER_BYTES = 1536 * 1024;
/** A longer answer is joined in a place. */
export const PLACED_BYTES = 32 * 1024;

interface Size {
  readonly bytes: number;
  readonly maxSpare: number;
  readonly spare: Buffer[];
}

/**
 * Memory in which large answers are gathered and from which they are sent. It is used again, because new memory costs more
 * than what is written into it. A few places are kept; others are garbage when they come back.
 */
class AnswerPlaces {
  readonly #small: Size = { bytes: 128 * 1024, maxSpare: 32, spare: [] };
  readonly #large: Size = { bytes: FAST_ANSWER_BYTES, maxSpare: 8, spare: [] };
  readonly #all = new WeakSet<ArrayBufferLike>();

  /** A place for at least so many bytes. */
  take(bytes: number = FAST_ANSWER_BYTES): Buffer {
    const size = bytes <= this.#small.bytes ? this.#small : this.#large;
    const spare = size.spare.pop();
    if (spare !== undefined) return spare;
    // Not in pages as `pageBytes` has them: V8 reads those slowly.
    const place = Buffer.allocUnsafeSlow(size.bytes);
    this.#all.add(place.buffer);
    return place;
  }

  /** Nobody may use these bytes any more. What is in no place is left alone. */
  put({ buffer }: Uint8Array): void {
    const { spare, maxSpare } = buffer.byteLength === this.#small.bytes ? this.#small : this.#large;
    if (spare.length < maxSpare && this.#all.has(buffer)) spare.push(Buffer.from(buffer));
  }
}

/** Shared by all connections, so that little of it is needed. */
export const ANSWER_PLACES = new AnswerPlaces();

export type { AnswerPlaces };
