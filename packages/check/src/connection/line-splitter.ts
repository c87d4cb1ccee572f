const NEWLINE = 0x0a;

/** Cuts bytes into lines; characters that are split over two chunks stay whole. */
export class LineSplitter {
  #rest: Uint8Array[] = [];

  push(chunk: Uint8Array): readonly string[] {
    const lines: string[] = [];
    let bytes = chunk;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
      lines.push(Buffer.concat([...this.#rest, bytes.subarray(0, end)]).toString('utf8'));
      this.#rest = [];
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > 0) this.#rest.push(bytes);
    return lines;
  }

  /** What follows the last line break. */
  get remainder(): string {
    return Buffer.concat(this.#rest).toString('utf8');
  }
}
