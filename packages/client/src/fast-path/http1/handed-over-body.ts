import { Readable } from 'node:stream';
import { ownBytes } from '../../read-buffer/kept-bytes.js';
import type { Http1Controller } from './http1-handler.js';

const unwanted = (): Error => Object.assign(new Error('the rest is not wanted'), { code: 'UND_ERR_ABORTED' });

/** The body of an answer that is read by somebody else than who asked for it: what came already, then the rest. */
export class HandedOverBody extends Readable {
  readonly #controller: Http1Controller;
  #complete = false;
  #failure: Error | undefined;
  #isRead = false;
  #taker: ((chunk: Buffer) => void) | undefined;

  constructor(controller: Http1Controller, chunks: readonly Buffer[]) {
    super();
    this.#controller = controller;
    for (const chunk of chunks) this.push(chunk);
  }

  lendTo(taker: ((chunk: Buffer) => void) | undefined): void {
    this.#taker = taker;
  }

  /** More of it came. A reader that does not keep up slows the server down. */
  give(chunk: Buffer): void {
    if (this.destroyed) return;
    if (this.#taker !== undefined && this.readableFlowing === true && this.readableLength === 0) this.#taker(chunk);
    else if (!this.push(ownBytes(chunk))) this.#controller.pause();
  }

  complete(): void {
    this.#complete = true;
    if (!this.destroyed) this.push(null);
  }

  /**
   * There is no more of it. The full path starts reading later: it gets the bytes that arrived before, then the error. An
   * error event without a listener would end the process.
   */
  fail(error: Error): void {
    this.#complete = true;
    this.#failure = error;
    if (this.#isRead) this.#failWhenRead();
  }

  override read(size?: number): unknown {
    this.#isRead = true;
    const chunk: unknown = super.read(size);
    if (chunk === null) this.#failWhenRead();
    return chunk;
  }

  override pause(): this {
    // Otherwise the connection is paused as soon as what comes does not fit, and resumed by `_read`.
    if (this.#taker !== undefined && !this.#complete) this.#controller.pause();
    return super.pause();
  }

  override resume(): this {
    if (this.#taker !== undefined && !this.#complete) this.#controller.resume();
    return super.resume();
  }

  override _read(): void {
    if (!this.#complete) this.#controller.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.#complete) this.#controller.abort(unwanted());
    callback(error);
  }

  #failWhenRead(): void {
    if (this.#failure !== undefined && this.readableLength === 0) this.destroy(this.#failure);
  }

  /** Reads to the end, or gives the connection up when that takes more than `limit` bytes. */
  async dump({ limit }: { readonly limit: number }): Promise<void> {
    let size = 0;
    for await (const chunk of this) {
      size += (chunk as Buffer).length;
      if (size > limit) return;
    }
  }
}
