import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ServerParts } from '../command-line/server-program.js';
import { LineTransport, type LineTransportOptions } from './line-transport.js';

export interface StdioConnectionOptions extends LineTransportOptions {
  readonly parts: ServerParts;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Serves the one client at the other end of stdin and stdout; resolves when it left or the signal came. */
export const serveStdioConnection = async (options: StdioConnectionOptions): Promise<void> => {
  const { parts, signal, log } = options;
  const transport = new LineTransport(options);
  const handle = serveStdio(parts.makeServer, {
    transport,
    onerror: (error) => log(`message refused: ${error.message}`),
  });
  const stop = (): void => void handle.close();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await transport.ended;
  } finally {
    signal.removeEventListener('abort', stop);
    await handle.close();
  }
};
