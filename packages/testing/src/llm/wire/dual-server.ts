import { createServer as createHttp1, type IncomingMessage } from 'node:http';
import { createServer as createHttp2, type Http2ServerRequest } from 'node:http2';
import { createServer, type Socket } from 'node:net';
import type { Arrival } from './arrival.js';
import type { AnyResponse } from './write-reply.js';

export interface DualServer extends AsyncDisposable {
  readonly port: number;
  close(): Promise<void>;
}

const HTTP2_FIRST_BYTE = 'P'.charCodeAt(0);
const HTTP2_SECOND_BYTE = 'R'.charCodeAt(0);

const readArrival = async (request: IncomingMessage | Http2ServerRequest): Promise<Arrival> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [path = '', query = ''] = String(request.url).split('?', 2);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    method: String(request.method),
    path,
    query,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
  };
};

/**
 * One port for HTTP/1.1 and for HTTP/2 without TLS: the first bytes tell them apart. The SDK of Bedrock speaks the second
 * unless it is told otherwise.
 */
export const openDualServer = async (
  onRequest: (arrival: Arrival, response: AnyResponse) => Promise<void>,
): Promise<DualServer> => {
  const serve = (request: IncomingMessage | Http2ServerRequest, response: AnyResponse): void => {
    response.on('error', () => undefined);
    readArrival(request)
      .then((arrival) => onRequest(arrival, response))
      .catch(() => void response.destroy());
  };
  const http1 = createHttp1(serve);
  // A client that was busy for seconds must not find its idle connection closed: providers keep them for minutes.
  http1.keepAliveTimeout = 0;
  const http2 = createHttp2(serve);
  http2.on('sessionError', () => undefined);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', (chunk: Buffer) => {
      socket.pause();
      socket.unshift(chunk);
      const isHttp2 = chunk[0] === HTTP2_FIRST_BYTE && chunk[1] === HTTP2_SECOND_BYTE;
      (isHttp2 ? http2 : http1).emit('connection', socket);
      // A session of HTTP/2 reads what is buffered without it, and would lose it with it.
      if (!isHttp2) socket.resume();
    });
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
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port, close, [Symbol.asyncDispose]: close };
};
