import { isObject, tryJson, type JsonObject } from '../../connection/json.js';
import { pause } from '../../connection/deadline.js';
import type { SseEvent } from '../../connection/sse-parser.js';
import type { HttpPipe } from './http-pipe.js';
import type { Arrival } from './load-line.js';

/** What came of a request whose stream was cut and resumed. */
export type Resumption =
  | { readonly kind: 'not-tried'; readonly why: string }
  | { readonly kind: 'resumed'; readonly arrival: Arrival };

interface Resumable {
  readonly newPipe: () => HttpPipe;
  /** The head of the request itself, and that of the request for the rest after an event. */
  readonly post: string;
  readonly get: (lastEventId: string) => string;
  readonly body: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** A server may end a resumed stream again before the answer; a client comes back, but not at once. */
const BETWEEN_MS = 50;

/** The messages of one request, wherever their events come from. */
class Messages {
  readonly notices: JsonObject[] = [];
  answer: Arrival | undefined;
  lastEventId: string | undefined;
  #firstAt: number | undefined;

  /** Whether the answer is there. */
  take({ data, id }: SseEvent): boolean {
    const at = performance.now();
    if (id !== undefined && id !== '') this.lastEventId = id;
    const message = tryJson(data);
    if (isObject(message)) this.#takeMessage(message, data, at);
    return this.answer !== undefined;
  }

  #takeMessage(message: JsonObject, text: string, at: number): void {
    const firstAt = this.#firstAt ?? at;
    this.#firstAt = firstAt;
    if ('method' in message) this.notices.push(message);
    else this.answer ??= { kind: 'answer', at, firstAt, message, text, notices: this.notices, surplus: 0 };
  }
}

const failed = (error: string): Resumption => ({
  kind: 'resumed',
  arrival: { kind: 'failure', at: performance.now(), error },
});

/** Sends the request, and cuts its stream after the first event that has an id. */
const sendAndCut = async ({ newPipe, post, body, deadlineMs }: Resumable, messages: Messages) => {
  const pipe = newPipe();
  const isCut = (): boolean => messages.lastEventId !== undefined;
  try {
    return await pipe.exchange({
      head: post,
      body,
      deadlineMs,
      onEvent: (event) => {
        if (isCut()) return false;
        const isDone = messages.take(event);
        if (isCut()) pipe.close();
        return isDone;
      },
    });
  } finally {
    pipe.close();
  }
};

/** Sends a request, cuts its stream on the way, and asks for the rest with Last-Event-ID until the answer is there. */
export const resumedRequest = async (options: Resumable): Promise<Resumption> => {
  const { newPipe, get, deadlineMs, signal } = options;
  const until = performance.now() + deadlineMs;
  const messages = new Messages();
  const first = await sendAndCut(options, messages);
  if (messages.answer !== undefined) return { kind: 'not-tried', why: 'No event with an id comes before the answer.' };
  if (messages.lastEventId === undefined) {
    if (first.failure !== undefined) return failed(first.failure);
    return { kind: 'not-tried', why: 'Answers are not streams with event ids.' };
  }
  for (let left = deadlineMs; left > 0 && !signal.aborted; left = until - performance.now()) {
    const pipe = newPipe();
    try {
      const { head, failure } = await pipe.exchange({
        head: get(messages.lastEventId),
        body: '',
        deadlineMs: left,
        onEvent: (event) => messages.take(event),
      });
      if (messages.answer !== undefined) return { kind: 'resumed', arrival: messages.answer };
      if (head?.isStream !== true) return failed(failure ?? `HTTP ${head?.status ?? 0} to Last-Event-ID`);
      if (failure === 'timeout') break;
    } finally {
      pipe.close();
    }
    await pause(BETWEEN_MS, signal);
  }
  return failed('The remaining events did not arrive after Last-Event-ID');
};
