import { pause } from '@plugboard/base';
import { type SseEvent } from '@plugboard/wire';
import { sessionLostError } from '../session/loss/session-loss.js';
import { messagesFrom } from './incoming-messages.js';
import { discard, fieldOf, type HttpAnswer } from './http-channel.js';
import { readEvents } from './read-events.js';
import type { TransportEvents } from './transport.js';

export interface ServerStreamOptions {
  readonly open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<HttpAnswer>;
  readonly host: string;
  readonly events: TransportEvents;
  readonly signal: AbortSignal;
  /** Called once the server has answered, with a stream or without. */
  readonly onOpen?: (() => void) | undefined;
  /** Waits; false when the signal ended the wait. */
  readonly wait?: typeof pause | undefined;
}

const DEFAULT_RETRY_MS = 1_000;
/** A server that ends each stream after one event must not keep the hub busy. */
const MIN_RETRY_MS = 100;
const MAX_FAILURES = 2;

const isEventStream = (answer: HttpAnswer): boolean =>
  answer.status === 200 && fieldOf(answer.headers, 'content-type')?.includes('text/event-stream') === true;

/** Keeps the stream of a legacy server open for what it sends unasked. Servers without one answer 405: then it is over. */
export const followServerStream = async (options: ServerStreamOptions): Promise<void> => {
  const { events, signal, host, wait = pause } = options;
  let lastEventId: string | undefined;
  let retryMs = DEFAULT_RETRY_MS;
  let failures = 0;
  const onRetry = (ms: number): void => {
    retryMs = Math.max(ms, MIN_RETRY_MS);
  };
  const onEvent = (event: SseEvent): void => {
    failures = 0;
    lastEventId = event.id !== undefined && event.id !== '' ? event.id : lastEventId;
    for (const classified of event.data === '' ? [] : messagesFrom(host, event.data)) {
      if (classified.kind === 'request' || classified.kind === 'notification') events.onIncoming(classified);
    }
  };
  while (!signal.aborted && failures <= MAX_FAILURES) {
    failures += 1;
    try {
      const answer = await options.open(lastEventId, signal);
      options.onOpen?.();
      if (!isEventStream(answer)) {
        await discard(answer);
        if (answer.status === 404) events.onLost(sessionLostError(`${host} answered its stream with HTTP status 404`));
        return;
      }
      await readEvents(answer, { signal, host, pace: events.pace, onEvent, onRetry });
    } catch {
      // The stream is a convenience: a broken one is opened again, a few times.
    }
    if (!(await wait(retryMs, signal))) return;
  }
};
