import { type ServedEvent, writeServedEvent } from '@plugboard/agent';
import { toPlugboardError } from '@plugboard/contract';

export interface EventStreamOptions {
  readonly api: 'chat' | 'responses';
  readonly signal: AbortSignal;
  /** Called once, when the stream has ended. */
  readonly close: () => void;
  readonly keepAliveMs?: number;
}

const KEEP_ALIVE_MS = 15_000;

/** What went wrong after the stream had begun, where clients of OpenAI look for it. */
const failureEvent = (api: EventStreamOptions['api'], thrown: unknown): ServedEvent => {
  const { code, message } = toPlugboardError(thrown);
  if (api === 'chat') return { data: { error: { message, type: 'server_error', code, param: null } } };
  return { event: 'error', data: { type: 'error', code, message, param: null, sequence_number: 0 } };
};

/** A stream of server-sent events. Comments keep it alive while tools work. Who stops reading ends the run. */
export const eventStream = (events: AsyncGenerator<ServedEvent>, options: EventStreamOptions): Response => {
  const { api, signal, close, keepAliveMs = KEEP_ALIVE_MS } = options;
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    clearInterval(timer);
    close();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(encoder.encode(': keep-alive\n\n')), keepAliveMs);
    },
    pull: async (controller) => {
      try {
        const next = await events.next();
        if (ended) return;
        if (next.done !== true) {
          controller.enqueue(encoder.encode(writeServedEvent(next.value)));
          return;
        }
      } catch (thrown) {
        if (ended) return;
        if (!signal.aborted) controller.enqueue(encoder.encode(writeServedEvent(failureEvent(api, thrown))));
      }
      end();
      controller.close();
    },
    cancel: async () => {
      end();
      await events.return(undefined);
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
  });
};
