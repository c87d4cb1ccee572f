import { StringDecoder } from 'node:string_decoder';

/** Longer lines are cut: a program that never ends a line must not fill the memory. */
const MAX_LINE = 2_000;

/** Cuts a stream of bytes into lines. */
export class LineFeed {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #rest = '';
  #dropping = false;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const parts = this.#decoder.write(chunk).split(/\r\n|\n|\r/u);
    const last = parts.pop() ?? '';
    for (const part of parts) {
      this.#append(part);
      this.#emit();
    }
    this.#append(last);
  }

  /** What came after the last end of a line is a line, too. */
  end(): void {
    this.#emit();
  }

  #append(text: string): void {
    if (this.#dropping) return;
    this.#rest += text;
    if (this.#rest.length <= MAX_LINE) return;
    this.#rest = `${this.#rest.slice(0, MAX_LINE)}…`;
    this.#dropping = true;
  }

  #emit(): void {
    const line = this.#rest;
    this.#rest = '';
    this.#dropping = false;
    if (line.trim() !== '') this.#onLine(line);
  }
}
