/** One server-sent event as it was written, and its data. */
export interface WrittenEvent {
  readonly raw: string;
  readonly data: string;
}

const BOUNDARY = /\r\n\r\n|\n\n|\r\r/u;

const dataOf = (raw: string): string =>
  raw
    .split(/\r\n|\n|\r/u)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /u, ''))
    .join('\n');

/** The same event with other data. */
export const withData = ({ raw }: WrittenEvent, data: string): string => {
  const fields = raw.split(/\r\n|\n|\r/u).filter((line) => line !== '' && !line.startsWith('data:'));
  return `${[...fields, `data: ${data}`].join('\n')}\n\n`;
};

/** More characters of an event without an end are not held. */
const MAX_HELD = 16 * 1024 * 1024;
/** The longest boundary, less one: what was searched already cannot hold more of one. */
const OVERLAP = 3;

/** Cuts the text of a stream into events, byte for byte. */
export class EventSplitter {
  readonly #decoder = new TextDecoder();
  readonly #limit: number;
  #text = '';

  /** `limit`: characters after which an event that has no end passes on in pieces, without data. */
  constructor(limit = MAX_HELD) {
    this.#limit = limit;
  }

  push(chunk: Uint8Array): readonly WrittenEvent[] {
    let from = Math.max(0, this.#text.length - OVERLAP);
    this.#text += this.#decoder.decode(chunk, { stream: true });
    const events: WrittenEvent[] = [];
    for (let found = this.#boundary(from); found !== undefined; found = this.#boundary(from)) {
      const raw = this.#text.slice(0, found);
      this.#text = this.#text.slice(found);
      from = 0;
      events.push({ raw, data: dataOf(raw) });
    }
    if (this.#text.length > this.#limit) {
      events.push({ raw: this.#text, data: '' });
      this.#text = '';
    }
    return events;
  }

  /** Where the first event ends. */
  #boundary(from: number): number | undefined {
    const boundary = new RegExp(BOUNDARY, 'gu');
    boundary.lastIndex = from;
    return boundary.test(this.#text) ? boundary.lastIndex : undefined;
  }

  /** What has no end yet. */
  get rest(): string {
    return this.#text;
  }
}
