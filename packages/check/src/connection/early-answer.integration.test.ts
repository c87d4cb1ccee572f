import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openHttpExchange } from './http-exchange.js';
import { Transcript } from './transcript.js';

const REFUSAL = 'HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';
const TRIES = 20;

test('an answer that comes before the body was sent is read, although the connection is closed behind it', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // Refused by its length: the rest of the body is never read.
    socket.once('data', () => {
      socket.pause();
      socket.end(REFUSAL, () => socket.destroySoon());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = { method: 'POST', url: `http://127.0.0.1:${port}/mcp`, headers: {}, body: 'x'.repeat(5 * 1024 * 1024) };
  const settings = { transcript: new Transcript(), deadlineMs: 5_000, signal: new AbortController().signal };
  const statuses: number[] = [];
  for (let count = 0; count < TRIES; count += 1) {
    const exchange = await openHttpExchange(asked, settings);
    statuses.push(exchange.status);
    exchange.close();
  }
  server.close();
  expect(statuses).toEqual(Array.from({ length: TRIES }, () => 413));
});
