import type { Writable } from 'node:stream';
import { PlugboardError } from '@plugboard/contract';

const DEFAULT_MAX_UNREAD = 64 * 1024 * 1024;

export interface LineWriterOptions {
  /** What may be told unasked to a client that does not read, before the client is given up. */
  readonly maxUnreadBytes?: number | undefined;
}

const leftUnread = (bytes: number): PlugboardError =>
  new PlugboardError('CANCELLED', `The client left more than ${bytes} bytes unread.`, {
    hint: 'A stdio client must read its input while it waits for responses.',
  });

/**
 * Writes messages into a pipe, one per line. Those who have more for the client can wait until it has read. There is no
 * bound in time: unlike a network, a pipe says when nobody is at its other end any more.
 */
export class LineWriter {
  /** Resolves when the client is gone, rejects when it is given up. */
  readonly gone: Promise<void>;
  readonly #output: Writable;
  readonly #maxUnread: number;
  #giveUp: (error: PlugboardError) => void = () => undefined;
  #open = true;
  #waiting: Promise<void> | undefined;
  #wake: () => void = () => undefined;

  constructor(output: Writable, { maxUnreadBytes = DEFAULT_MAX_UNREAD }: LineWriterOptions = {}) {
    this.#output = output;
    this.#maxUnread = maxUnreadBytes;
    this.gone = new Promise((resolve, reject) => {
      this.#giveUp = reject;
      output.once('close', resolve).once('error', () => resolve());
    });
    const close = (): void => this.close();
    void this.gone.then(close, close);
    output.on('drain', this.#goOn);
  }

  get open(): boolean {
    return this.#open && !this.#output.destroyed;
  }

  /** Undefined while the client reads; else settles when it has taken everything, is gone, or nothing more is written. */
  readonly drained = (): Promise<void> | undefined => {
    if (!this.open || !this.#output.writableNeedDrain) return undefined;
    this.#waiting ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#waiting;
  };

  /** What the client asked for, and may therefore leave unread. */
  write(text: string): void {
    // A line break inside a message would end it.
    if (this.open) this.#output.write(`${text.replaceAll(/[\r\n]+/gu, ' ')}\n`);
  }

  /** What the client did not ask for. */
  tell(text: string): void {
    this.write(text);
    if (this.#output.writableLength > this.#maxUnread) this.#giveUp(leftUnread(this.#maxUnread));
  }

  /** Nothing more is written, and nobody waits any more. What was written leaves with the stream. */
  close(): void {
    this.#open = false;
    this.#output.off('drain', this.#goOn);
    this.#goOn();
  }

  readonly #goOn = (): void => {
    this.#waiting = undefined;
    this.#wake();
  };
}
