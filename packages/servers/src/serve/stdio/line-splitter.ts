const NEWLINE = 0x0a;

/** In place of a line that was longer than allowed: nothing of it was kept. */
export const TOO_LONG = Symbol('a line that was too long');

export type SplitLine = string | typeof TOO_LONG;

/** Cuts a stream of bytes into lines of a bounded length. */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that a chunk completes, without their ends. */
  push(chunk: Buffer): readonly SplitLine[] {
    const lines: SplitLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #take(): SplitLine {
    const line =
      this.#size > this.#maxBytes
        ? TOO_LONG
        : Buffer.concat(this.#parts, this.#size).toString('utf8').replace(/\r$/u, '');
    this.#parts = [];
    this.#size = 0;
    return line;
  }
}
