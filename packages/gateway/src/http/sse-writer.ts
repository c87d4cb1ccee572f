import type { ServerResponse } from 'node:http';
import type { SlowWatch, Watched } from '@plugboard/client';
import { encodeSse, encodeSseComment } from '@plugboard/wire';
import { BackpressureWriter, type BackpressureOptions } from './backpressure-writer.js';
import { sharedWatches } from './shared-watches.js';

export interface SseWriterOptions extends BackpressureOptions {
  readonly keepAliveMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Looked at once a second, so that none takes longer than 15 s. */
const DEFAULT_KEEP_ALIVE_MS = 13_800;
const LOOK_MS = 1000;
const KEEP_ALIVE = Buffer.from(encodeSseComment('keep-alive'));

const watchFor = sharedWatches(LOOK_MS);

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

/** One event stream to a client, with signs of life. */
export class SseWriter implements Watched {
  /** When the last sign of life was due. */
  since = performance.now();
  before: Watched | undefined;
  after: Watched | undefined;
  readonly #writer: BackpressureWriter;
  readonly #watch: SlowWatch;

  constructor(response: ServerResponse, options: SseWriterOptions = {}) {
    response.writeHead(200, { ...HEADERS, ...options.headers });
    this.#writer = new BackpressureWriter(response, options);
    this.#writer.headSoon();
    this.#watch = watchFor(options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS);
    this.#watch.add(this);
    response.once('close', () => this.#stop());
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
    this.#writer.writeSoon(encodeSse(fields));
  }

  /** Ends the stream once everything is written. */
  end(): void {
    this.#stop();
    this.#writer.end();
  }

  /** A sign of life is due. A reader that does not read needs none. */
  tooSlow(): void {
    if (!this.#writer.blocked) this.#writer.write(KEEP_ALIVE);
    this.since = performance.now();
    if (this.#writer.open) this.#watch.add(this);
  }

  #stop(): void {
    this.#watch.remove(this);
  }
}
