import { ByteParts } from './byte-parts.js';
import { pageBytes } from './page-bytes.js';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export interface LineSplitterOptions {
  /** Takes a line as the bytes that came; false when it is to be decoded. */
  readonly takeBytes?: ((line: Uint8Array) => boolean) | undefined;
  /** Memory for a line of so many bytes that came in parts; undefined: memory of its own. */
  readonly placeFor?: ((bytes: number) => Uint8Array | undefined) | undefined;
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
  #size = 0;
  #oversize = false;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#append(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
  }

  /** The stream ended: what is left over is a line without its break. */
  end(): void {
    this.#finishLine();
  }

  #append(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#maxLineBytes) {
      this.#oversize = true;
      this.#parts.take();
    } else {
      this.#parts.push(part);
    }
  }

  #finishLine(): void {
    const parts = this.#parts.take();
    const size = this.#size;
    const oversize = this.#oversize;
    this.#size = 0;
    this.#oversize = false;
    if (oversize) {
      this.#options.onOversize?.(size);
      return;
    }
    const bytes = joinBytes(parts, size, this.#options.placeFor);
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
  const joined = placeFor?.(size) ?? (size < LARGE_LINE_BYTES ? new Uint8Array(size) : pageBytes(size));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
};
