import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who pastes sends one line after the other; who types takes longer than this. */
const QUIET_MS = 50;

/** Lines that somebody types, one at a time. Undefined: there are no more. */
export class LineReader implements Disposable {
  readonly #lines: Interface;
  readonly #typed: string[] = [];
  readonly #isTTY: boolean;
  #closed = false;
  #wake: () => void = () => undefined;
  /** What Ctrl-C does. Undefined: it ends the lines. */
  onInterrupt: (() => void) | undefined;

  constructor(input: Readable, output: Writable, isTTY: boolean) {
    this.#isTTY = isTTY;
    this.#lines = createInterface({ input, output, terminal: isTTY });
    this.#lines.on('line', (line) => {
      this.#typed.push(line);
      this.#wake();
    });
    // A terminal that reads lines sends a key for Ctrl-C, and no signal.
    this.#lines.on('SIGINT', () => {
      if (this.onInterrupt === undefined) this.#lines.close();
      else this.onInterrupt();
    });
    this.#lines.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  async ask(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    const leave = (): void => this.#wake();
    signal.addEventListener('abort', leave, { once: true });
    try {
      this.#lines.setPrompt(prompt);
      if (!this.#closed) this.#lines.prompt();
      while (this.#typed.length === 0 && !this.#closed && !signal.aborted) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      return signal.aborted ? undefined : this.#typed.shift();
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** The same, but only what is typed after the prompt was shown is an answer: lines that were pasted are none. */
  async askAnew(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    do {
      this.#typed.length = 0;
      await sleep(QUIET_MS);
    } while (this.#typed.length > 0 && !signal.aborted);
    if (this.#isTTY && !this.#closed) {
      // The beginning of a line that has no end yet.
      this.#lines.write(null, { ctrl: true, name: 'e' });
      this.#lines.write(null, { ctrl: true, name: 'u' });
    }
    return await this.ask(prompt, signal);
  }

  [Symbol.dispose](): void {
    this.#lines.close();
  }
}
