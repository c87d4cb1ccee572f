import { anySignal } from '@plugboard/base';
import type { AdminLimits } from '../limits.js';
import { connectEvents, type ConnectAttempt } from './connect-events.js';
import { eventFrame, heartbeatFrame, SSE_HEADERS } from './sse-frame.js';

/** The events of one connect as a stream that ends with the attempt, and an attempt that ends with its reader. */
export const connectStream = (attempt: ConnectAttempt, limits: AdminLimits, request: AbortSignal): Response => {
  const reader = new AbortController();
  const signal = anySignal(reader.signal, request);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (frame: Uint8Array): void => {
        if (!signal.aborted) controller.enqueue(frame);
      };
      const heartbeat = setInterval(() => send(heartbeatFrame()), limits.heartbeatMs);
      const relay = async (): Promise<void> => {
        try {
          let id = 0;
          for await (const event of connectEvents(attempt, signal, limits.connectDeadlineMs)) {
            id += 1;
            send(eventFrame(id, event));
          }
        } finally {
          clearInterval(heartbeat);
          if (!reader.signal.aborted) controller.close();
        }
      };
      void relay();
    },
    cancel: () => reader.abort(),
  });
  return new Response(body, { headers: SSE_HEADERS });
};
