const EVENT_STREAM = /^text\/event-stream\b/iu;
const END_OF_EVENT = '\n\n';

/** Follows an answer that is passed on: only between two events of a stream can another one be added. */
export class EventBoundary {
  readonly #isStream: boolean;
  #tail = END_OF_EVENT;

  constructor(contentType: unknown) {
    this.#isStream = typeof contentType === 'string' && EVENT_STREAM.test(contentType);
  }

  note(chunk: Buffer): void {
    if (this.#isStream) this.#tail = (this.#tail + chunk.toString('latin1', chunk.length - 2)).slice(-2);
  }

  get isBetweenEvents(): boolean {
    return this.#isStream && this.#tail === END_OF_EVENT;
  }
}
