import type { Writable } from 'node:stream';

/** More is not held back: the pipe would seem full to those who look before they write. */
const HELD_BYTES = 8 * 1024;

/**
 * The input of a program. Lines that are written in one turn of the event loop go into the pipe together at its end: one
 * call of the system, and the program wakes up once.
 */
export class LineBatch {
  readonly #input: Writable;
  #isHeld = false;

  constructor(input: Writable) {
    this.#input = input;
  }

  /** @param isAlone no other line waits for its answer, so that others in this turn are unlikely. */
  write(line: Buffer | string, isAlone: boolean, onWritten: (error: Error | null | undefined) => void): void {
    if (!isAlone && !this.#isHeld) this.#hold();
    this.#input.write(line, onWritten);
    if (this.#isHeld && this.#input.writableLength > HELD_BYTES) this.#flush();
  }

  #hold(): void {
    this.#isHeld = true;
    this.#input.cork();
    setImmediate(() => {
      if (this.#isHeld) this.#flush();
    });
  }

  #flush(): void {
    this.#isHeld = false;
    this.#input.uncork();
  }
}
