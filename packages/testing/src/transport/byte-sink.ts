import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault/fault.js';

export type Pacing = Pick<Fault, 'drip' | 'splitBytes'>;
type Pieces = NonNullable<Fault['drip']>;

const piecesOf = ({ drip, splitBytes }: Pacing): Pieces | undefined =>
  drip ?? (splitBytes === undefined ? undefined : { bytes: splitBytes, everyMs: 0 });

/** Writes in order, whole, in pieces or dripping, and never after the other side has disconnected. */
export class ByteSink {
  readonly #out: Writable;
  readonly #pacing: Pacing;
  #last: Promise<void> = Promise.resolve();
  readonly #gone = new AbortController();

  constructor(out: Writable, pacing: Pacing = {}) {
    this.#out = out;
    this.#pacing = pacing;
    out.once('close', () => this.#gone.abort());
  }

  get closed(): boolean {
    return this.#gone.signal.aborted || this.#out.destroyed;
  }

  write(text: string, pacing: Pacing = {}): void {
    const pieces = piecesOf({ ...this.#pacing, ...pacing });
    if (pieces === undefined) this.#then(() => this.#put(text));
    else this.#then(() => this.#drip(Buffer.from(text), pieces));
  }

  /** Resolves when everything before has been handed to the system. */
  flushed(): Promise<void> {
    return this.#last;
  }

  end(): Promise<void> {
    this.#then(
      () =>
        new Promise<void>((resolve) => {
          if (this.closed) return resolve();
          this.#out.once('close', resolve);
          return this.#out.end(() => resolve());
        }),
    );
    return this.#last;
  }

  #then(act: () => Promise<void>): void {
    this.#last = this.#last.then(act, act);
  }

  async #drip(bytes: Buffer, { bytes: size, everyMs }: Pieces): Promise<void> {
    for (let at = 0; at < bytes.length && !this.closed; at += size) {
      await this.#put(bytes.subarray(at, at + size));
      await sleep(everyMs, undefined, { signal: this.#gone.signal }).catch(() => undefined);
    }
  }

  #put(piece: string | Buffer): Promise<void> {
    return new Promise<void>((resolve) => {
      if (this.closed) return resolve();
      const done = (): void => {
        this.#out.off('close', done);
        resolve();
      };
      this.#out.once('close', done);
      this.#out.write(piece, done);
      return undefined;
    });
  }
}
