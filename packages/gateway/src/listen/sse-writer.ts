import type { ServerResponse } from 'node:http';
import { encodeSse, encodeSseComment } from '@plugboard/wire';

export interface SseWriterOptions {
  readonly keepAliveMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What a slow reader may leave in our memory before it is cut off. */
  readonly maxQueuedChars?: number | undefined;
}

const DEFAULT_KEEP_ALIVE_MS = 15_000;
const DEFAULT_MAX_QUEUED = 16 * 1024 * 1024;
const KEEP_ALIVE = encodeSseComment('keep-alive');

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

/** One event stream to a client. What the client does not read yet waits here, up to a bound. */
export class SseWriter {
  readonly #response: ServerResponse;
  readonly #maxQueued: number;
  readonly #keepAlive: NodeJS.Timeout;
  #queue: string[] = [];
  #queued = 0;
  #blocked = false;
  #ending = false;

  constructor(response: ServerResponse, options: SseWriterOptions = {}) {
    this.#response = response;
    this.#maxQueued = options.maxQueuedChars ?? DEFAULT_MAX_QUEUED;
    response.writeHead(200, { ...HEADERS, ...options.headers });
    response.flushHeaders();
    response.on('drain', () => this.#drain());
    this.#keepAlive = setInterval(() => this.#ping(), options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS);
    this.#keepAlive.unref();
    response.once('close', () => clearInterval(this.#keepAlive));
  }

  get open(): boolean {
    return !this.#ending && !this.#response.destroyed && !this.#response.writableEnded;
  }

  send(data: string, id?: string): void {
    this.#write(encodeSse({ data, id, event: 'message' }));
  }

  /** Any event, such as the first one of a stream that can be resumed. */
  event(fields: Parameters<typeof encodeSse>[0]): void {
    this.#write(encodeSse(fields));
  }

  /** Ends the stream once everything is written. */
  end(): void {
    clearInterval(this.#keepAlive);
    if (!this.open) return;
    this.#ending = true;
    if (!this.#blocked) this.#response.end();
  }

  #write(text: string): void {
    if (!this.open) return;
    if (!this.#blocked) {
      this.#blocked = !this.#response.write(text);
      return;
    }
    this.#queue.push(text);
    this.#queued += text.length;
    if (this.#queued > this.#maxQueued) this.#response.destroy();
  }

  #drain(): void {
    this.#blocked = false;
    const queue = this.#queue;
    this.#queue = [];
    this.#queued = 0;
    if (queue.length > 0 && !this.#response.destroyed) this.#blocked = !this.#response.write(queue.join(''));
    if (this.#ending && !this.#blocked) this.#response.end();
  }

  /** A reader that does not read needs no sign of life. */
  #ping(): void {
    if (!this.#blocked) this.#write(KEEP_ALIVE);
  }
}
