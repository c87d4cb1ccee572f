import type { ConnectEvent } from '@plugboard/contract';

const NAMES: readonly ConnectEvent['event'][] = [
  'connection_attempt',
  'oauth_required',
  'authorization_url',
  'waiting_for_auth',
  'success',
  'error',
];

/** Connects to a server and tells each step; the result gives up. A stream that ends early is told as an error. */
export const watchConnect = (serverId: string, onEvent: (event: ConnectEvent) => void): (() => void) => {
  const stream = new EventSource(`/v1/mcp-servers/connect/${encodeURIComponent(serverId)}`);
  for (const name of NAMES) {
    stream.addEventListener(name, (message) => {
      // The browser's own error events have the same name, and no data.
      if (!(message instanceof MessageEvent)) return;
      onEvent(JSON.parse(String(message.data)) as ConnectEvent);
      if (name === 'success' || name === 'error') stream.close();
    });
  }
  stream.addEventListener('error', (event) => {
    // Never reconnect automatically: a login would start again.
    if (!(event instanceof MessageEvent)) stream.close();
  });
  return () => stream.close();
};
