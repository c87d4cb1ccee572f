import type { ServerResponse } from 'node:http';
import { encodeSse, encodeSseComment } from '@plugboard/wire';
import { BackpressureWriter, type BackpressureOptions } from './backpressure-writer.js';

export interface SseWriterOptions extends BackpressureOptions {
  readonly keepAliveMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const DEFAULT_KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVE = encodeSseComment('keep-alive');

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

/** One event stream to a client, with signs of life. */
export class SseWriter {
  readonly #writer: BackpressureWriter;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(response: ServerResponse, options: SseWriterOptions = {}) {
    response.writeHead(200, { ...HEADERS, ...options.headers });
    response.flushHeaders();
    this.#writer = new BackpressureWriter(response, options);
    this.#keepAlive = setInterval(() => this.#ping(), options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS);
    this.#keepAlive.unref();
    response.once('close', () => clearInterval(this.#keepAlive));
  }

  get open(): boolean {
    return this.#writer.open;
  }

  /** Undefined while the client keeps up; else settles when it does again, or is gone. */
  get drained(): BackpressureWriter['drained'] {
    return this.#writer.drained;
  }

  send(data: string, id?: string): void {
    this.#writer.writeSoon(encodeSse({ data, id, event: 'message' }));
  }

  /** Any event, such as the first one of a stream that can be resumed. */
  event(fields: Parameters<typeof encodeSse>[0]): void {
    this.#writer.write(encodeSse(fields));
  }

  /** Ends the stream once everything is written. */
  end(): void {
    clearInterval(this.#keepAlive);
    this.#writer.end();
  }

  /** A reader that does not read needs no sign of life. */
  #ping(): void {
    if (!this.#writer.blocked) this.#writer.write(KEEP_ALIVE);
  }
}
