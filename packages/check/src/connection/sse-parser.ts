import { TooLong } from './too-long.js';

export interface SseEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
  readonly retry: string | undefined;
  readonly comments: readonly string[];
  /** Lines that the syntax does not know. */
  readonly strange: readonly string[];
}

/** A comment, a new delay or an id alone: no client is told of it. */
export const isIdle = ({ event, data }: SseEvent): boolean => event === 'message' && data === '';

interface Draft {
  event: string | undefined;
  data: string[];
  id: string | undefined;
  retry: string | undefined;
  comments: string[];
  strange: string[];
}

const emptyDraft = (): Draft => ({
  event: undefined,
  data: [],
  id: undefined,
  retry: undefined,
  comments: [],
  strange: [],
});

const take = (draft: Draft, line: string): void => {
  const colon = line.indexOf(':');
  const field = colon === -1 ? line : line.slice(0, colon);
  const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /u, '');
  if (field === '') draft.comments.push(value);
  else if (field === 'data') draft.data.push(value);
  else if (field === 'event') draft.event = value;
  else if (field === 'id') draft.id = value;
  else if (field === 'retry') draft.retry = value;
  else draft.strange.push(line);
};

const isEmpty = (draft: Draft): boolean =>
  draft.event === undefined &&
  draft.data.length + draft.comments.length + draft.strange.length === 0 &&
  draft.id === undefined &&
  draft.retry === undefined;

/** Server-sent events from chunks of bytes that may end anywhere. */
export class SseParser {
  readonly #decoder = new TextDecoder('utf-8');
  #text = '';
  #draft = emptyDraft();
  readonly #limit: number;
  /** How long the finished lines of the draft are. */
  #drafted = 0;

  /** `limit`: characters after which an event that has no end is given up. */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** @throws {TooLong} after the limit; what was held is dropped. */
  push(chunk: Uint8Array): readonly SseEvent[] {
    if (this.#drafted + this.#text.length > this.#limit) {
      this.#drafted = Number.POSITIVE_INFINITY;
      this.#text = '';
      this.#draft = emptyDraft();
      throw new TooLong('event', this.#limit);
    }
    const lineEnd = /\r\n|\n|\r(?!$)/gu;
    // What was there before has no end, except for a carriage return whose line feed may follow.
    lineEnd.lastIndex = Math.max(0, this.#text.length - 1);
    this.#text += this.#decoder.decode(chunk, { stream: true });
    const events: SseEvent[] = [];
    for (let end = lineEnd.exec(this.#text); end !== null; end = lineEnd.exec(this.#text)) {
      lineEnd.lastIndex = 0;
      const line = this.#text.slice(0, end.index);
      this.#text = this.#text.slice(end.index + end[0].length);
      this.#drafted += line.length;
      if (line !== '') take(this.#draft, line);
      else if (!isEmpty(this.#draft)) events.push(this.#finish());
    }
    return events;
  }

  /** Whether the stream stopped in the middle of an event. */
  get unfinished(): boolean {
    return this.#text !== '' || !isEmpty(this.#draft);
  }

  #finish(): SseEvent {
    const { event, data, ...rest } = this.#draft;
    this.#draft = emptyDraft();
    this.#drafted = 0;
    return { event: event ?? 'message', data: data.join('\n'), ...rest };
  }
}
