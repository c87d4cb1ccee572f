import { type EventLog, positionOf } from './event-log.js';

/** The writing end of an event stream. */
export interface EventSink {
  readonly open: boolean;
  send(data: string, id?: string): void;
  end(): void;
  /** Undefined while the client keeps up. */
  drained?(): Promise<void> | undefined;
}

/**
 * One stream of a session: it outlives the connection that it is sent over, as long as its client may come back. The log
 * keeps what nobody took, within its bounds.
 */
export class ResumableStream {
  readonly number: number;
  readonly #log: EventLog;
  #sink: EventSink | undefined;
  #delivered: number;
  #done = false;

  constructor(number: number, log: EventLog, delivered = 0) {
    this.number = number;
    this.#log = log;
    this.#delivered = delivered;
  }

  /** The number of the last event that a client was sent. */
  get delivered(): number {
    return this.#delivered;
  }

  /** An id to come back with before anything was sent. */
  prime(): string {
    return this.#log.append(this.number, '').id;
  }

  /** @param instead writes what a client that is away gets when there is no room to keep this for it. */
  send(data: string, instead?: () => string): void {
    const event = this.#log.append(this.number, data, instead);
    if (this.#sink?.open !== true) return;
    this.#sink.send(event.data, event.id);
    this.#delivered = this.#log.last;
  }

  /** A client that is away hears the rest when it comes back, so nobody waits for it. */
  drained(): Promise<void> | undefined {
    return this.#sink?.open === true ? this.#sink.drained?.() : undefined;
  }

  /** The client has a (new) connection: what it has not seen comes first. */
  attach(sink: EventSink, after?: string): void {
    const missed = after === undefined ? this.#log.since(this.number, this.#delivered) : this.#log.after(after);
    if (this.#sink !== sink) this.#sink?.end();
    this.#sink = sink;
    for (const event of missed) {
      if (event.data !== '') sink.send(event.data, event.id);
      this.#delivered = Math.max(this.#delivered, positionOf(event.id));
    }
    if (this.#done) sink.end();
  }

  /** Nothing more comes. */
  end(): void {
    this.#done = true;
    this.#sink?.end();
  }
}
