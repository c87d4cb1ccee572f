import { ByteParts } from './byte-parts.js';
import { pageBytes } from './page-bytes.js';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export interface LineSplitterOptions {
  /** Takes a line as the bytes that came; false when it is to be decoded. */
  readonly takeBytes?: ((line: Uint8Array) => boolean) | undefined;
  /**
   * Memory for a line of which at least so many bytes came in parts; undefined: memory of its own. `instead` is the memory
   * that became too small.
   */
  readonly placeFor?: ((bytes: number, instead?: Uint8Array) => Uint8Array | undefined) | undefined;
  /** Copies a part whose memory is used again, where there is no place for it. */
  readonly keep?: ((part: Uint8Array) => Uint8Array) | undefined;
  readonly onLine: (line: string) => void;
  /** A line grew beyond the bound; its bytes are dropped up to the next line break. */
  readonly onOversize?: ((bytes: number) => void) | undefined;
  readonly maxLineBytes?: number | undefined;
}

/** A longer line goes back to the system when it was read. */
const LARGE_LINE_BYTES = 512 * 1024;

export const DEFAULT_MAX_LINE_BYTES = 32 * 1024 * 1024;

/**
 * Cuts a byte stream into lines. Bytes are decoded only when a line is whole, so that a character
 * which is split between two chunks survives. CRLF counts as one break; empty lines are dropped.
 */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  readonly #maxLineBytes: number;
  readonly #parts = new ByteParts();
  readonly #keep: (part: Uint8Array) => Uint8Array;
  /** Where the parts of the line are copied to when their memory is used again. */
  #place: Uint8Array | undefined;
  #size = 0;
  #oversize = false;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
    this.#keep = options.keep ?? ((part) => new Uint8Array(part));
  }

  /** @param isLent the memory of the chunk is used again afterwards: what is needed of it is copied. */
  push(chunk: Uint8Array, isLent = false): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#append(chunk.subarray(start, end), isLent);
      this.#finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#append(chunk.subarray(start), isLent);
  }

  /** The stream ended: what is left over is a line without its break. */
  end(): void {
    this.#finishLine();
  }

  #append(part: Uint8Array, isLent: boolean): void {
    const before = this.#size;
    this.#size += part.length;
    if (this.#size > this.#maxLineBytes) {
      this.#oversize = true;
      this.#parts.take();
      this.#place = undefined;
    } else if (!this.#isPlaced(part, before, isLent)) {
      this.#parts.push(isLent ? this.#keep(part) : part);
    }
  }

  /** Copies the part behind what came before it. False where no place is large enough, or none is needed. */
  #isPlaced(part: Uint8Array, before: number, isLent: boolean): boolean {
    const place = this.#place;
    if (place === undefined && !isLent) return false;
    if (place !== undefined && this.#size <= place.length) {
      place.set(part, before);
      return true;
    }
    const larger = this.#options.placeFor?.(this.#size, place);
    this.#place = larger;
    if (larger === undefined) {
      if (place !== undefined) this.#parts.push(place.subarray(0, before));
      return false;
    }
    copyInto(larger, place === undefined ? this.#parts.take() : [place.subarray(0, before)]);
    larger.set(part, before);
    return true;
  }

  #finishLine(): void {
    const place = this.#place;
    const parts = this.#parts.take();
    const size = this.#size;
    const oversize = this.#oversize;
    this.#place = undefined;
    this.#size = 0;
    this.#oversize = false;
    if (oversize) {
      this.#options.onOversize?.(size);
      return;
    }
    const bytes = place?.subarray(0, size) ?? joinBytes(parts, size, this.#options.placeFor);
    const length = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    if (length === 0) return;
    const line = length === bytes.length ? bytes : bytes.subarray(0, length);
    if (this.#options.takeBytes?.(line) !== true) this.#options.onLine(new TextDecoder().decode(line));
  }
}

const joinBytes = (
  parts: readonly Uint8Array[],
  size: number,
  placeFor: LineSplitterOptions['placeFor'],
): Uint8Array => {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const place = placeFor?.(size)?.subarray(0, size);
  return copyInto(place ?? (size < LARGE_LINE_BYTES ? new Uint8Array(size) : pageBytes(size)), parts);
};

const copyInto = (place: Uint8Array, parts: readonly Uint8Array[]): Uint8Array => {
  let offset = 0;
  for (const part of parts) {
    place.set(part, offset);
    offset += part.length;
  }
  return place;
};
