import { randomBytes, randomUUID } from 'node:crypto';
import type { Room } from '@plugboard/client';
import { markedId } from '../call/fleet-side.js';
import type { ClientFacts } from '../call/mcp-call.js';
import type { Scope } from '../call/scope.js';
import { EventLog } from './event-log.js';
import { LegacySession } from './legacy-session.js';
import { type EventSink, ResumableStream } from './resumable-stream.js';
import type { SessionPast } from './session-past.js';

const GENERAL = 0;

export interface HttpSessionOptions {
  /** What the caller may have kept for it. */
  readonly room?: Room | undefined;
  /** Continues the session of an earlier process. */
  readonly past?: SessionPast | undefined;
  /** Marks the id of a new session. */
  readonly mark?: string | undefined;
}

/** A legacy session over Streamable HTTP: its streams can be resumed. */
export class HttpSession {
  readonly session: LegacySession;
  readonly generation: number;
  /** Called when something changed that a hub which continues the session must know. */
  onChange: (() => void) | undefined;
  readonly log: EventLog;
  readonly #general: ResumableStream;
  readonly #streams = new Map<number, ResumableStream>();
  /** What clients are told whose request was in progress when the hub ended. */
  readonly #interruptions = new Map<number, () => string>();
  #lastStream: number;

  constructor(scope: Scope, client: ClientFacts, { room, past, mark }: HttpSessionOptions = {}) {
    const onChange = (): void => this.onChange?.();
    this.generation = past?.generation ?? 0;
    this.#lastStream = past?.lastStream ?? GENERAL;
    this.log = new EventLog({
      prefix: past?.prefix ?? randomBytes(6).toString('hex'),
      room,
      past: past?.events,
      onAppend: onChange,
    });
    for (const [stream, failure] of past?.interrupted ?? []) this.log.append(stream, failure);
    this.#general = new ResumableStream(GENERAL, this.log, past?.delivered);
    const general = this.#general;
    this.#streams.set(GENERAL, general);
    this.session = new LegacySession({
      id: past?.id ?? markedId(mark, randomUUID()),
      scope,
      client,
      deliver: (message) => general.send(JSON.stringify(message)),
      drained: () => general.drained(),
      onChange,
      past,
    });
    this.session.onEnd(() => {
      for (const stream of this.#streams.values()) stream.end();
      this.#streams.clear();
      this.#interruptions.clear();
      this.log.clear();
    });
  }

  /** For the answer to one request. @param interrupted what its client is told if the hub ends before the answer. */
  openStream(interrupted?: () => string): ResumableStream {
    this.#lastStream += 1;
    const stream = new ResumableStream(this.#lastStream, this.log);
    this.#streams.set(stream.number, stream);
    if (interrupted !== undefined) this.#interruptions.set(stream.number, interrupted);
    return stream;
  }

  /** Ends the stream for what belongs to no request: there will be nothing more on it. */
  endGeneral(): void {
    this.#general.end();
  }

  /** Streams that are not over, the general one among them. */
  get streamCount(): number {
    return this.#streams.size;
  }

  /** The number of the last event on the general stream that the client was sent. */
  get delivered(): number {
    return this.#general.delivered;
  }

  get interruptionCount(): number {
    return this.#interruptions.size;
  }

  get interruptions(): SessionPast['interrupted'] {
    return [...this.#interruptions].map(([stream, failure]) => [stream, failure()]);
  }

  /** A client that resumes a stream that ended finds the rest in the log. */
  closeStream(stream: ResumableStream): void {
    stream.end();
    this.#streams.delete(stream.number);
    this.#interruptions.delete(stream.number);
    this.onChange?.();
  }

  /** The stream for what belongs to no request, or the one that broke after this event. */
  connect(sink: EventSink, lastEventId: string | undefined): void {
    const number = lastEventId === undefined ? GENERAL : this.log.streamOf(lastEventId);
    const stream = number === undefined ? undefined : this.#streams.get(number);
    if (number === undefined || lastEventId === undefined) {
      this.#streams.get(GENERAL)?.attach(sink);
    } else if (stream === undefined) {
      // Everything was sent: what is still known of it comes once more, and that is all.
      for (const event of this.log.after(lastEventId)) if (event.data !== '') sink.send(event.data, event.id);
      sink.end();
    } else {
      stream.attach(sink, lastEventId);
    }
    this.onChange?.();
  }
}
