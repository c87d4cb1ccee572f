import { Readable } from 'node:stream';
import type { Http1Controller } from './http1/http1-handler.js';

const unwanted = (): Error => Object.assign(new Error('the rest is not wanted'), { code: 'UND_ERR_ABORTED' });

/** The body of an answer that is read by somebody else than who asked for it: what came already, then the rest. */
export class HandedOverBody extends Readable {
  readonly #controller: Http1Controller;
  #complete = false;

  constructor(controller: Http1Controller, chunks: readonly Buffer[]) {
    super();
    this.#controller = controller;
    // Who takes it over comes later, and hears of a failure by reading; until then nobody listens, which would end the process.
    this.on('error', () => undefined);
    for (const chunk of chunks) this.push(chunk);
  }

  /** More of it came. A reader that does not keep up slows the server down. */
  give(chunk: Buffer): void {
    if (!this.destroyed && !this.push(chunk)) this.#controller.pause();
  }

  complete(): void {
    this.#complete = true;
    if (!this.destroyed) this.push(null);
  }

  fail(error: Error): void {
    this.#complete = true;
    this.destroy(error);
  }

  override _read(): void {
    if (!this.#complete) this.#controller.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.#complete) this.#controller.abort(unwanted());
    callback(error);
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
