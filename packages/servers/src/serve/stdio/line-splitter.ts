const NEWLINE = 0x0a;

/** Cuts a stream of bytes into lines of a bounded length. */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that a chunk completes, without their ends. Throws when a line has no end in time. */
  push(chunk: Buffer): readonly string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(Buffer.concat(this.#parts, this.#size).toString('utf8').replace(/\r$/u, ''));
      this.#parts = [];
      this.#size = 0;
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) throw new RangeError(`a message is longer than ${this.#maxBytes} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }
}
