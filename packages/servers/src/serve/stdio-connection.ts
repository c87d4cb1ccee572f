import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { AnnouncementBoard } from './announcement-board.js';
import type { ServerParts } from './server-program.js';

class WatchedTransport extends StdioServerTransport {
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;

  constructor(stdin: Readable, stdout: Writable, maxBufferSize: number) {
    super(stdin, stdout, { maxBufferSize });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#end();
  }
}

export interface StdioConnectionOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly maxMessageBytes: number;
  readonly parts: ServerParts;
  readonly board: AnnouncementBoard;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Serves the one client at the other end of stdin and stdout; resolves when it left or the signal came. */
export const serveStdioConnection = async (options: StdioConnectionOptions): Promise<void> => {
  const { stdin, stdout, parts, board, signal, log } = options;
  const transport = new WatchedTransport(stdin, stdout, options.maxMessageBytes);
  const leaves: (() => void)[] = [];
  const handle = serveStdio(
    (context) => {
      const server = parts.makeServer(context);
      leaves.push(board.join(server));
      return server;
    },
    {
      transport,
      onerror: (error) => {
        // A line that is no JSON has no id to answer to; the protocol still wants to hear of it.
        if (error instanceof SyntaxError)
          stdout.write('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\n');
        else log(`message refused: ${error.message}`);
      },
    },
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
