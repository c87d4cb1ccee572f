import { randomBytes, randomUUID } from 'node:crypto';
import type { Room } from '@plugboard/client';
import type { ClientFacts } from '../call/mcp-call.js';
import type { Scope } from '../call/scope.js';
import { EventLog } from './event-log.js';
import { LegacySession } from './legacy-session.js';
import { type EventSink, ResumableStream } from './resumable-stream.js';

const GENERAL = 0;

/** A legacy session over Streamable HTTP: its streams can be resumed. */
export class HttpSession {
  readonly session: LegacySession;
  readonly #log: EventLog;
  readonly #streams = new Map<number, ResumableStream>();
  #lastStream = GENERAL;

  constructor(scope: Scope, client: ClientFacts, room?: Room) {
    this.#log = new EventLog({ prefix: randomBytes(6).toString('hex'), room });
    const general = new ResumableStream(GENERAL, this.#log);
    this.#streams.set(GENERAL, general);
    this.session = new LegacySession({
      id: randomUUID(),
      scope,
      client,
      deliver: (message) => general.send(JSON.stringify(message)),
      drained: () => general.drained(),
    });
    this.session.onEnd(() => {
      for (const stream of this.#streams.values()) stream.end();
      this.#streams.clear();
      this.#log.clear();
    });
  }

  /** For the answer to one request. */
  openStream(): ResumableStream {
    this.#lastStream += 1;
    const stream = new ResumableStream(this.#lastStream, this.#log);
    this.#streams.set(stream.number, stream);
    return stream;
  }

  /** Ends the stream for what belongs to no request: there will be nothing more on it. */
  endGeneral(): void {
    this.#streams.get(GENERAL)?.end();
  }

  /** Streams that are not over, the general one among them. */
  get streamCount(): number {
    return this.#streams.size;
  }

  /** Whoever comes back for a stream that ended finds the rest in the log. */
  closeStream(stream: ResumableStream): void {
    stream.end();
    this.#streams.delete(stream.number);
  }

  /** The stream for what belongs to no request, or the one that broke after this event. */
  connect(sink: EventSink, lastEventId: string | undefined): void {
    const number = lastEventId === undefined ? GENERAL : this.#log.streamOf(lastEventId);
    const stream = number === undefined ? undefined : this.#streams.get(number);
    if (number === undefined || lastEventId === undefined) {
      this.#streams.get(GENERAL)?.attach(sink);
    } else if (stream === undefined) {
      // Everything was sent: what is still known of it comes once more, and that is all.
      for (const event of this.#log.after(lastEventId)) if (event.data !== '') sink.send(event.data, event.id);
      sink.end();
    } else {
      stream.attach(sink, lastEventId);
    }
  }
}
