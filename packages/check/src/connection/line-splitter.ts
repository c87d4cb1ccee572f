import { TooLong } from './too-long.js';

const NEWLINE = 0x0a;

/** Cuts bytes into lines; characters that are split over two chunks stay whole. */
export class LineSplitter {
  readonly #limit: number;
  #rest: Uint8Array[] = [];
  #size = 0;

  /** `limit`: bytes after which a line that has no end is given up. */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** @throws {TooLong} after the limit; what was held is dropped. */
  push(chunk: Uint8Array): readonly string[] {
    if (this.#size > this.#limit) {
      this.#rest = [];
      throw new TooLong('line', this.#limit);
    }
    const lines: string[] = [];
    let bytes = chunk;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
      lines.push(Buffer.concat([...this.#rest, bytes.subarray(0, end)]).toString('utf8'));
      this.#rest = [];
      this.#size = 0;
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > 0) this.#rest.push(bytes);
    this.#size += bytes.length;
    return lines;
  }

  /** What follows the last line break. */
  get remainder(): string {
    return Buffer.concat(this.#rest).toString('utf8');
  }
}
