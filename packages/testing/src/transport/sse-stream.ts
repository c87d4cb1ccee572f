import type { JsonRpcMessage } from '../json-rpc/message.js';
import type { ByteSink } from './byte-sink.js';

export interface SseEvent {
  readonly event?: string;
  readonly id?: string;
  readonly retry?: number;
  readonly data: string;
}

export const encodeEvent = ({ event, id, retry, data }: SseEvent): string =>
  [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...data.split('\n').map((line) => `data: ${line}`),
    '',
    '',
  ].join('\n');

interface SseStreamOptions {
  /** Given when events carry ids and can be replayed. */
  readonly id?: string | undefined;
  /** The connection ends after so many events; a resumable stream lives on without it. */
  readonly endAfter?: number | undefined;
}

/** A stream of messages to one client, which may outlive the connection that carries it. */
export class SseStream {
  readonly #options: SseStreamOptions;
  readonly #events: string[] = [];
  #sink: ByteSink | undefined;
  #done = false;
  #left: number;

  constructor(options: SseStreamOptions = {}) {
    this.#options = options;
    this.#left = options.endAfter ?? Number.POSITIVE_INFINITY;
  }

  /** Carries the stream on this connection, from the event after `last`. */
  attach(sink: ByteSink, last?: number): void {
    this.#sink = sink;
    if (last === undefined) {
      if (this.#options.id !== undefined) this.#write({ retry: 50, data: '' });
      if (this.#left === 0) this.leave();
      return;
    }
    for (const event of this.#events.slice(last + 1)) sink.write(event);
    if (this.#done) void sink.end();
  }

  push(message: JsonRpcMessage): void {
    this.#write({ event: 'message', data: JSON.stringify(message) });
    this.#left -= 1;
    if (this.#left === 0) this.leave();
  }

  comment(text: string): void {
    this.#sink?.write(`: ${text}\n\n`);
  }

  finish(): Promise<void> {
    this.#done = true;
    return this.#sink?.end() ?? Promise.resolve();
  }

  /** Lets go of the connection; what is pushed from now on waits for the next one. */
  leave(): void {
    const sink = this.#sink;
    this.#sink = undefined;
    void sink?.end();
  }

  #write(event: SseEvent): void {
    const { id } = this.#options;
    const encoded = encodeEvent(id === undefined ? event : { ...event, id: `${id}_${this.#events.length}` });
    if (id !== undefined) this.#events.push(encoded);
    this.#sink?.write(encoded);
  }
}
