const KEEP_ALIVE_MS = 30_000;

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The stream of a GET without a session: it says at once that it is open, and then every thirty seconds. */
export const eventStream = (server: object, closing: AbortSignal, keepAliveMs = KEEP_ALIVE_MS): Response => {
  const encoder = new TextEncoder();
  let release = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode(event('connected', server)));
      const timer = setInterval(() => controller.enqueue(encoder.encode(event('keepalive', {}))), keepAliveMs);
      timer.unref();
      const finish = (): void => {
        release();
        controller.close();
      };
      release = () => {
        clearInterval(timer);
        closing.removeEventListener('abort', finish);
      };
      closing.addEventListener('abort', finish, { once: true });
    },
    cancel: () => release(),
  });
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', Connection: 'keep-alive' },
  });
};
