import {
  type ClientRequest,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Balancer {
  readonly url: string;
}

/** How long a request may look for a replica that accepts connections. */
const LOOK_MS = 10_000;
const PAUSE_MS = 100;

/** Sends each request to another replica, whoever sent it: no client stays anywhere. Replicas that refuse are passed over. */
export const startBalancer = async (targets: () => readonly string[]): Promise<Balancer> => {
  let turn = 0;
  const current = new WeakMap<ServerResponse, ClientRequest>();
  const pass = (request: IncomingMessage, response: ServerResponse, deadline: number): void => {
    const all = targets();
    const target = all[(turn += 1) % Math.max(1, all.length)];
    const again = (): void => {
      if (response.destroyed) return;
      if (performance.now() < deadline) setTimeout(() => pass(request, response, deadline), PAUSE_MS);
      else response.writeHead(503).end();
    };
    if (target === undefined) {
      again();
      return;
    }
    const sent = httpRequest(new URL(request.url ?? '/', target), {
      method: request.method,
      headers: request.headers,
      agent: false,
    });
    let isConnected = false;
    sent.on('socket', (socket) =>
      socket.once('connect', () => {
        isConnected = true;
        request.pipe(sent);
      }),
    );
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    sent.on('error', () => {
      // Nothing was sent where nobody accepted the connection.
      if (isConnected) response.destroy();
      else again();
    });
    current.set(response, sent);
  };
  const server = createServer((request, response) => {
    response.once('close', () => current.get(response)?.destroy());
    pass(request, response, performance.now() + LOOK_MS);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};
