import type { HubEvent } from '@plugboard/contract';
import type { EventListener } from '../../event/event-feed.js';
import { isoTime } from '../../port/clock.js';
import type { AdminLimits } from '../limits.js';
import { eventFrame, heartbeatFrame, SSE_HEADERS } from './sse-frame.js';

/** How many events may wait for a reader. */
const MAX_WAITING = 1000;

export interface EventStreamOptions {
  readonly subscribe: (listener: EventListener) => () => void;
  readonly limits: AdminLimits;
  /** Aborts when the reader goes away. */
  readonly signal: AbortSignal;
}

/** Events from now on, until the reader goes away. One that is too slow is told how many it missed. */
export const eventStream = ({ subscribe, limits, signal }: EventStreamOptions): Response => {
  let stop = (): void => undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        let id = 0;
        let missed = 0;
        const write = (event: HubEvent): void => {
          id += 1;
          controller.enqueue(eventFrame(id, event));
        };
        const send: EventListener = (event) => {
          // one place is kept for the note about what is missing
          if ((controller.desiredSize ?? 0) <= 1) {
            missed += 1;
            return;
          }
          if (missed > 0) write({ event: 'events_missed', at: isoTime(Date.now()), count: missed });
          missed = 0;
          write(event);
        };
        const unsubscribe = subscribe(send);
        const heartbeat = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(heartbeatFrame());
        }, limits.heartbeatMs);
        const leave = (): void => {
          stop();
          controller.close();
        };
        stop = () => {
          unsubscribe();
          clearInterval(heartbeat);
          signal.removeEventListener('abort', leave);
        };
        signal.addEventListener('abort', leave, { once: true });
        // The reader knows that it will not miss what happens next.
        controller.enqueue(heartbeatFrame());
        if (signal.aborted) leave();
      },
      cancel: () => stop(),
    },
    { highWaterMark: MAX_WAITING },
  );
  return new Response(body, { headers: SSE_HEADERS });
};
