import { createServer, type Socket } from 'node:net';

/** A raw TCP server whose sockets are counted, and cut when it closes. */
export interface ByteServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Connections ever accepted. */
  readonly connections: number;
  readonly openConnections: number;
  close(): Promise<void>;
}

export const openByteServer = async (onSocket: (socket: Socket, number: number) => void): Promise<ByteServer> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    onSocket(socket, connections);
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : 0);
    });
  });
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const gone = Array.from(sockets, (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
    for (const socket of sockets) socket.destroy();
    await Promise.all([closed, ...gone]);
  };
  return {
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    get connections() {
      return connections;
    },
    get openConnections() {
      return sockets.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
