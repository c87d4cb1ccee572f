import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { memoryNetwork } from './network.js';

const echo = () =>
  createServer((asked, response) => {
    void text(asked).then((body) => response.end(`${asked.method} ${body}`));
  });

test('carries HTTP between a server and a client of one process', async () => {
  const network = memoryNetwork();
  const port = await network.listen(echo(), 0, '127.0.0.1');
  const asked = request({ method: 'POST', createConnection: () => network.connect(port) });
  asked.end('hello');
  const [answer] = await once(asked, 'response');
  expect(await text(answer)).toBe('POST hello');
});

test.each([
  ['127.0.0.1', '127.0.0.2'],
  ['127.0.0.1', 'example.com'],
])('a server on %s is not reached under %s', async (host, other) => {
  const network = memoryNetwork();
  const port = await network.listen(echo(), 0, host);
  const [error] = await once(network.connect(port, other), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('a server on every host is reached under any', async () => {
  const network = memoryNetwork();
  const port = await network.listen(echo(), 0, '0.0.0.0');
  expect(network.connect(port, '127.0.0.2').destroyed).toBe(false);
});

test('refuses a port on which nothing listens, and one that is taken', async () => {
  const network = memoryNetwork();
  const [error] = await once(network.connect(1), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  await network.listen(echo(), 80, '127.0.0.1');
  await expect(network.listen(echo(), 80, '127.0.0.1')).rejects.toThrow('in use');
});

test('tells each end when the other is gone', async () => {
  const network = memoryNetwork();
  const server = echo();
  const port = await network.listen(server, 0, '127.0.0.1');
  const accepted = once(server, 'connection');
  const client = network.connect(port);
  const [other] = await accepted;
  client.destroy();
  await once(other, 'close');
  expect(other.destroyed).toBe(true);
});

test('frees the port when the server closes', async () => {
  const network = memoryNetwork();
  const server = echo();
  const port = await network.listen(server, 0, '127.0.0.1');
  await new Promise((resolve) => server.close(resolve));
  const [error] = await once(network.connect(port), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});
