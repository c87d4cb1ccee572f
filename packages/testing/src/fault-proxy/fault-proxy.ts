import { FaultBoard, type BoardOptions } from './board/fault-board.js';
import { openHttpRelay } from './http/http-relay.js';
import { openTcpRelay } from './tcp/tcp-relay.js';

/** A proxy in front of an HTTP server that does what its board says. */
export interface FaultProxy extends AsyncDisposable {
  /** Where clients reach the server through the proxy. */
  readonly url: string;
  readonly port: number;
  readonly board: FaultBoard;
  close(): Promise<void>;
}

export interface FaultProxyOptions extends BoardOptions {
  /** Default: a free one. */
  readonly port?: number;
  readonly board?: FaultBoard;
}

/**
 * Listens in front of `target`, the URL of an MCP server.
 *
 * @example
 * const proxy = await faultProxy(server.url);
 * proxy.board.arm([{ kind: 'status', status: 503, match: 'tools/call', times: 1 }]);
 */
export const faultProxy = async (target: string, options: FaultProxyOptions = {}): Promise<FaultProxy> => {
  const board = options.board ?? new FaultBoard(options);
  const url = new URL(target);
  const http = await openHttpRelay(board, url);
  const tcp = await openTcpRelay({
    board,
    target: { host: '127.0.0.1', port: http.port },
    port: options.port ?? 0,
  });
  const close = async (): Promise<void> => {
    await tcp.close();
    await http.close();
  };
  const { port } = tcp;
  return {
    url: `http://127.0.0.1:${port}${url.pathname}${url.search}`,
    port,
    board,
    close,
    [Symbol.asyncDispose]: close,
  };
};
