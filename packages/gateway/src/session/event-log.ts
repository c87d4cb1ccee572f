import type { Room } from '@plugboard/client';

export interface LoggedEvent {
  readonly id: string;
  readonly stream: number;
  readonly data: string;
  /** Writes what a client gets that comes too late for the data: seldom needed, so not written before. */
  readonly instead?: (() => string) | undefined;
}

export interface EventLogOptions {
  /** Makes ids of one session unknown to every other. */
  readonly prefix: string;
  readonly maxEvents?: number | undefined;
  readonly maxChars?: number | undefined;
  /** What the caller may have kept for it, over all its sessions. */
  readonly room?: Room | undefined;
  /** What an earlier process kept of it. */
  readonly past?: EventPast | undefined;
  readonly onAppend?: (() => void) | undefined;
}

export interface EventPast {
  readonly events: readonly LoggedEvent[];
  /** A number that is larger than that of every event ever given out. */
  readonly last: number;
}

const DEFAULT_MAX_EVENTS = 500;
const DEFAULT_MAX_CHARS = 1024 * 1024;
/** An event that is larger than all others together may be is kept so long: a client that lost it comes back soon. */
const LARGE_MS = 20_000;

/** The number of an event within its session. */
export const positionOf = (id: string): number => Number(id.split('-')[2]);

/**
 * The last events of one session, so that a client whose stream broke can have the rest. The oldest go first; what there is
 * no room for at all is not kept.
 */
export class EventLog {
  readonly #options: EventLogOptions;
  #events: LoggedEvent[] = [];
  #chars = 0;
  #last = 0;
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: EventLogOptions) {
    this.#options = options;
    const { past } = options;
    if (past === undefined) return;
    for (const event of past.events) if (options.room?.grow(event.data.length) === undefined) this.#keep(event);
    this.#last = past.last;
  }

  get prefix(): string {
    return this.#options.prefix;
  }

  /** The number of the last event that was given out. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest event that is kept; one that is yet to come when there is none. */
  get first(): number {
    const [oldest] = this.#events;
    return oldest === undefined ? this.#last + 1 : positionOf(oldest.id);
  }

  /** The events of all streams after this number. */
  newerThan(position: number): readonly LoggedEvent[] {
    const start = this.#events.findLastIndex(({ id }) => positionOf(id) <= position);
    return this.#events.slice(start + 1);
  }

  get size(): number {
    return this.#events.length;
  }

  /** @param instead writes what is kept when there is no room for the data. */
  append(stream: number, data: string, instead?: () => string): LoggedEvent {
    this.#last += 1;
    const event = { id: `${this.#options.prefix}-${stream}-${this.#last}`, stream, data, instead };
    const { room, onAppend } = this.#options;
    onAppend?.();
    while (room?.grow(data.length) !== undefined) {
      if (this.#events.length === 0) {
        if (instead !== undefined) this.#keep({ ...event, data: instead(), instead: undefined });
        return event;
      }
      this.#drop(1);
    }
    this.#keep(event);
    return event;
  }

  /** Nobody comes back for any of it. */
  clear(): void {
    clearTimeout(this.#expiry);
    this.#drop(this.#events.length);
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
    return stream === undefined ? [] : this.since(stream, positionOf(id));
  }

  /** What came on a stream after the event with this number. */
  since(stream: number, position: number): readonly LoggedEvent[] {
    return this.#events.filter((event) => event.stream === stream && positionOf(event.id) > position);
  }

  #keep(event: LoggedEvent): void {
    this.#events.push(event);
    this.#chars += event.data.length;
    const maxEvents = this.#options.maxEvents ?? DEFAULT_MAX_EVENTS;
    const maxChars = this.#maxChars;
    let [drop, chars] = [0, this.#chars];
    while (this.#events.length - drop > maxEvents || (chars > maxChars && drop < this.#events.length - 1)) {
      chars -= this.#events[drop]?.data.length ?? 0;
      drop += 1;
    }
    this.#drop(drop);
    if (this.#chars > maxChars) this.#expireLarge();
  }

  get #maxChars(): number {
    return this.#options.maxChars ?? DEFAULT_MAX_CHARS;
  }

  /** Only the last event can be too large for the log. */
  #expireLarge(): void {
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => {
      const large = this.#chars > this.#maxChars ? this.#events.at(-1) : undefined;
      if (large === undefined) return;
      this.#drop(this.#events.length);
      const instead = large.instead?.();
      if (instead === undefined || this.#options.room?.grow(instead.length) !== undefined) return;
      this.#events = [{ ...large, data: instead, instead: undefined }];
      this.#chars = instead.length;
    }, LARGE_MS);
    this.#expiry.unref();
  }

  #drop(count: number): void {
    if (count === 0) return;
    let chars = 0;
    // A full log drops one for each new event: a copy of the others would cost more than all else about the event.
    for (let left = count; left > 0; left -= 1) chars += this.#events.shift()?.data.length ?? 0;
    this.#chars -= chars;
    this.#options.room?.shrink(chars);
  }
}
