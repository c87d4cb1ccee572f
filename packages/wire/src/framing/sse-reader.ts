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

export const DEFAULT_MAX_EVENT_CHARS = 32 * 1024 * 1024;

/** Reads server-sent events from bytes, however they are cut into chunks. */
export class SseReader {
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  readonly #comments = new CommentFilter();
  readonly #onComment: (() => void) | undefined;
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
    if (!this.#ended) {
      const rest = this.#comments.strip(chunk);
      if (rest.length !== chunk.length) this.#onComment?.();
      if (rest.length > 0) this.#parser.feed(this.#decoder.decode(rest, { stream: true }));
    }
  }
}
