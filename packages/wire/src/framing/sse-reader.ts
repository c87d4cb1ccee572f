import { createParser, type EventSourceParser } from 'eventsource-parser';
import { CommentFilter } from './comment-filter.js';
import type { SseEvent } from './sse-event.js';

export interface SseReaderOptions {
  readonly onEvent: (event: SseEvent) => void;
  /** The server asks for this pause before a reconnect. */
  readonly onRetry?: ((milliseconds: number) => void) | undefined;
  /** Comments came; once for all of a chunk. */
  readonly onComment?: (() => void) | undefined;
  /** An event grew beyond the bound: nothing more is read. */
  readonly onOversize?: (() => void) | undefined;
  readonly maxEventChars?: number | undefined;
}

const FEED = 0x0a;
const RETURN = 0x0d;

export const DEFAULT_MAX_EVENT_CHARS = 32 * 1024 * 1024;

/** Reads server-sent events from bytes, however they are cut into chunks. */
export class SseReader {
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  readonly #comments = new CommentFilter();
  readonly #onComment: (() => void) | undefined;
  #endedWithReturn = false;
  #ended = false;

  constructor(options: SseReaderOptions) {
    this.#onComment = options.onComment;
    this.#parser = createParser({
      onEvent: options.onEvent,
      onRetry: options.onRetry,
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') {
          this.#ended = true;
          options.onOversize?.();
        }
      },
      maxBufferSize: options.maxEventChars ?? DEFAULT_MAX_EVENT_CHARS,
    });
  }

  push(chunk: Uint8Array): void {
    if (this.#ended || chunk.length === 0) return;
    const bytes = fixed(chunk);
    const lines = this.#endedWithReturn && bytes[0] === FEED ? bytes.subarray(1) : bytes;
    this.#endedWithReturn = chunk.at(-1) === RETURN;
    const rest = this.#comments.strip(lines);
    if (rest.length !== lines.length) this.#onComment?.();
    if (rest.length > 0) this.#parser.feed(withLineFeeds(this.#decoder.decode(rest, { stream: true })));
  }
}

/** Memory that can be resized is several times as slow to go through as it is to copy. */
const fixed = (chunk: Uint8Array): Uint8Array =>
  'resizable' in chunk.buffer && chunk.buffer.resizable === true ? new Uint8Array(chunk) : chunk;

/** The parser waits for the byte after a return, which may never come. It does not wait after a line feed. */
const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replaceAll(/\r\n?/gu, '\n') : text);
