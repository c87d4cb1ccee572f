import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { World } from '../behaviour/world.js';
import { kitFailure } from '../failure/kit-failure.js';
import { tcpNetwork, type FakeNetwork } from './network.js';

export interface ListenOptions {
  /** Default: a free one. */
  readonly port?: number;
  readonly host?: string;
  readonly path?: string;
  /** Default: real sockets. */
  readonly network?: FakeNetwork;
}

/** A fake that listens. */
export interface HttpListener extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Cuts every connection and stops listening; sessions stay, so that the same port can be opened again. */
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly connection: number;
  /** Aborted when the listener closes. */
  readonly closing: AbortSignal;
}

const flat = (request: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

const listen = async (
  server: Server,
  { port = 0, network = tcpNetwork }: ListenOptions,
  host: string,
): Promise<number> => {
  try {
    return await network.listen(server, port, host);
  } catch {
    const message = `The fake server cannot listen on ${host}:${port}.`;
    throw await kitFailure('PORT_IN_USE', message, 'Use port 0 for a free one.');
  }
};

/** Resolves once everyone who listens for the end of the socket has been told. */
const destroyed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.destroy();
  });

const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Opens a real HTTP server whose sockets are counted and cut when it closes. */
export const openHttpServer = async (
  world: World,
  options: ListenOptions,
  handle: (request: HttpRequest) => Promise<void>,
): Promise<HttpListener> => {
  const host = options.host ?? '127.0.0.1';
  const sockets = new Map<Socket, number>();
  const closing = new AbortController();
  // Every request in flight listens to it: however many there are, that is no leak.
  setMaxListeners(0, closing.signal);
  const server = createServer((request, response) => {
    const connection = sockets.get(request.socket) ?? 0;
    const url = new URL(request.url ?? '/', 'http://fake.invalid');
    response.on('error', () => undefined);
    handle({ request, response, url, headers: flat(request), connection, closing: closing.signal }).catch(() =>
      response.destroy(),
    );
  });
  server.on('connection', (socket: Socket) => {
    const counted = world.counters.countConnection();
    sockets.set(socket, counted.number);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      counted.closed();
    });
    if (world.script.take('connection').cut === true) socket.destroy();
  });
  const port = await listen(server, options, host);
  const close = async (): Promise<void> => {
    closing.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all([closed, ...Array.from(sockets.keys(), destroyed)]);
  };
  return {
    url: `http://${hostInUrl(host)}:${port}${options.path ?? '/mcp'}`,
    port,
    close,
    [Symbol.asyncDispose]: close,
  };
};
