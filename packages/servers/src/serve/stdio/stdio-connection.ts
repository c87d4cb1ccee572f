import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AnnouncementBoard } from '../announcement-board.js';
import type { ServerParts } from '../server-program.js';
import { LineTransport, type LineTransportOptions } from './line-transport.js';

export interface StdioConnectionOptions extends LineTransportOptions {
  readonly parts: ServerParts;
  readonly board: AnnouncementBoard;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Serves the one client at the other end of stdin and stdout; resolves when it left or the signal came. */
export const serveStdioConnection = async (options: StdioConnectionOptions): Promise<void> => {
  const { parts, board, signal, log } = options;
  const transport = new LineTransport(options);
  const leaves: (() => void)[] = [];
  const handle = serveStdio(
    (context) => {
      const server = parts.makeServer(context);
      leaves.push(board.join(server));
      return server;
    },
    { transport, onerror: (error) => log(`message refused: ${error.message}`) },
  );
  const stop = (): void => void handle.close();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await transport.ended;
  } finally {
    signal.removeEventListener('abort', stop);
    await handle.close();
    for (const leave of leaves) leave();
  }
};
