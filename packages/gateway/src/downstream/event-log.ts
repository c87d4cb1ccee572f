export interface LoggedEvent {
  readonly id: string;
  readonly stream: number;
  readonly data: string;
}

export interface EventLogOptions {
  /** Makes ids of one session unknown to every other. */
  readonly prefix: string;
  readonly maxEvents?: number | undefined;
  readonly maxChars?: number | undefined;
}

const DEFAULT_MAX_EVENTS = 500;
const DEFAULT_MAX_CHARS = 1024 * 1024;

/** The last events of one session, so that a client whose stream broke can have the rest. The oldest go first. */
export class EventLog {
  readonly #options: EventLogOptions;
  #events: LoggedEvent[] = [];
  #chars = 0;
  #last = 0;

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#events.length;
  }

  append(stream: number, data: string): LoggedEvent {
    this.#last += 1;
    const event = { id: `${this.#options.prefix}-${stream}-${this.#last}`, stream, data };
    this.#events.push(event);
    this.#chars += data.length;
    this.#trim();
    return event;
  }

  /** The stream of an event that was given out here, also when the event itself is no longer kept. */
  streamOf(id: string): number | undefined {
    const [prefix, stream, number] = id.split('-');
    const valid = prefix === this.#options.prefix && /^\d+$/u.test(stream ?? '') && Number(number) <= this.#last;
    return valid ? Number(stream) : undefined;
  }

  /** What came after this event on its stream, in order. */
  after(id: string): readonly LoggedEvent[] {
    const stream = this.streamOf(id);
    if (stream === undefined) return [];
    const position = Number(id.split('-')[2]);
    return this.#events.filter((event) => event.stream === stream && Number(event.id.split('-')[2]) > position);
  }

  #trim(): void {
    const maxEvents = this.#options.maxEvents ?? DEFAULT_MAX_EVENTS;
    const maxChars = this.#options.maxChars ?? DEFAULT_MAX_CHARS;
    let drop = 0;
    while (this.#events.length - drop > maxEvents || (this.#chars > maxChars && drop < this.#events.length - 1)) {
      this.#chars -= this.#events[drop]?.data.length ?? 0;
      drop += 1;
    }
    if (drop > 0) this.#events = this.#events.slice(drop);
  }
}
