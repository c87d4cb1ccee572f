import type { CheckRunListener } from '../../port/check-runs.js';
import type { AdminLimits } from '../limits.js';
import { eventFrame, heartbeatFrame, SSE_HEADERS } from './sse-frame.js';

export interface CheckRunStreamOptions {
  readonly watch: (listener: CheckRunListener) => Promise<() => void>;
  readonly limits: AdminLimits;
  /** Aborts when the reader goes away. */
  readonly signal: AbortSignal;
}

interface Stream {
  readonly listener: CheckRunListener;
  readonly body: ReadableStream<Uint8Array>;
  readonly stop: (unsubscribe: () => void) => void;
}

const openStream = (limits: AdminLimits, signal: AbortSignal): Stream => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let unsubscribe: () => void = () => undefined;
  const leave = (): void => {
    if (controller === undefined) return;
    controller.close();
    release();
  };
  const heartbeat = setInterval(() => controller?.enqueue(heartbeatFrame()), limits.heartbeatMs);
  const release = (): void => {
    controller = undefined;
    clearInterval(heartbeat);
    signal.removeEventListener('abort', leave);
    unsubscribe();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (opened) => {
      controller = opened;
    },
    cancel: release,
  });
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  return {
    body,
    listener: { event: (id, event) => controller?.enqueue(eventFrame(id, event)), end: leave },
    stop: (how) => {
      unsubscribe = how;
      if (controller === undefined) how();
    },
  };
};

/** The events of a run as a stream that ends with the run. The run itself goes on without a reader. */
export const checkRunStream = async ({ watch, limits, signal }: CheckRunStreamOptions): Promise<Response> => {
  const { listener, body, stop } = openStream(limits, signal);
  try {
    stop(await watch(listener));
  } catch (thrown) {
    listener.end();
    throw thrown;
  }
  return new Response(body, { headers: SSE_HEADERS });
};
