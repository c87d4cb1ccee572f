import type { SseEvent } from '../../connection/sse-parser.js';
import type { HttpAsk } from './http-pipe.js';
import type { ResponseHead } from './http-response-reader.js';

/** Something that keeps the connection alive: a comment, or an event without a message. */
const isKeepAlive = ({ data }: SseEvent): boolean => data === '';

/** Counts what comes on a stream that is held, and how long nothing comes. */
export class StreamWatch {
  readonly #now: () => number;
  readonly #settled: Promise<ResponseHead | undefined>;
  #settle: (head: ResponseHead | undefined) => void = () => undefined;
  #lastAt: number | undefined;
  #longestGapMs = 0;
  #events = 0;
  #keepAlives = 0;
  #lastEventId: string | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** The head of the answer; undefined when there is none. */
  get opened(): Promise<ResponseHead | undefined> {
    return this.#settled;
  }

  get events(): number {
    return this.#events;
  }

  get keepAlives(): number {
    return this.#keepAlives;
  }

  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** The longest time without a byte, the time since the last one included. */
  longestGapMs(): number {
    return this.#lastAt === undefined ? this.#longestGapMs : Math.max(this.#longestGapMs, this.#now() - this.#lastAt);
  }

  /** What a connection tells. */
  readonly hooks: Required<Pick<HttpAsk, 'onHead' | 'onChunk' | 'onEvent'>> = {
    onHead: (head) => {
      this.#alive();
      this.#settle(head);
    },
    onChunk: () => this.#alive(),
    onEvent: (event) => {
      if (isKeepAlive(event)) this.#keepAlives += 1;
      else this.#events += 1;
      if (event.id !== undefined && event.id !== '') this.#lastEventId = event.id;
      return false;
    },
  };

  /** Nothing comes any more; a stream that never began has no head. */
  end(): void {
    this.#longestGapMs = this.longestGapMs();
    this.#lastAt = undefined;
    this.#settle(undefined);
  }

  #alive(): void {
    this.#longestGapMs = this.longestGapMs();
    this.#lastAt = this.#now();
  }
}
