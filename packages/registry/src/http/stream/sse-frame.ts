import type { CheckRunEvent, ConnectEvent, HubEvent } from '@plugboard/contract';

export const SSE_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Proxies that buffer would hold the first event back until the last.
  'X-Accel-Buffering': 'no',
} as const;

const encoder = new TextEncoder();

/** A comment that keeps proxies and readers from giving up. */
export const heartbeatFrame = (): Uint8Array => encoder.encode(': heartbeat\n\n');

/** The name stands in the frame and in the data: clients look for it in either place. */
export const eventFrame = (id: number, event: ConnectEvent | HubEvent | CheckRunEvent): Uint8Array =>
  encoder.encode(`id: ${id}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`);
