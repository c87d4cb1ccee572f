export const SSE_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Proxies that buffer would hold the first event back until the last.
  'X-Accel-Buffering': 'no',
} as const;
