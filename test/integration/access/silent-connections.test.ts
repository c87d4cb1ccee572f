import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub({ timeouts: { headers: 300, request: 600, check: 50 } });
});
afterAll(() => hub.close());

const HEAD = 'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n';

it.each([
  ['nothing', ''],
  ['half a request line', 'GET /hea'],
  ['headers without an end', 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx: '],
  ['half a body', `${HEAD}{"jsonrpc"`],
  ['a request, and half of the next', 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\nGET /hea'],
])('a connection that sends %s and then nothing is closed', async (_what, text) => {
  const { hostname, port } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(text);
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

it('a hub as users run it has the limits that are promised', async () => {
  const asUsual = await startRealHub();
  onTestFinished(() => asUsual.close());
  let server: Server | undefined;
  const see = (message: unknown): void => {
    ({ server } = message as { readonly server: Server });
  };
  subscribe('http.server.request.start', see);
  try {
    await (await fetch(`${asUsual.url}/health`)).text();
  } finally {
    unsubscribe('http.server.request.start', see);
  }
  expect(server).toMatchObject({ headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 75_000 });
});
