import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { deadPort } from '../fixture/dead-port.js';
import { hangingServer } from '../fixture/hanging-server.js';
import { rubbishServer, type Rubbish } from '../fixture/rubbish-server.js';
import { httpBytes } from './http-bytes.js';
import { httpDouble } from './http-double.js';

/** Sends bytes on a socket of its own and gives everything that came back, until the other side ends. */
const exchange = (port: number, ...pieces: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece);
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
  });

describe('the HTTP double', () => {
  test('plays answers in order and keeps what it was asked', async () => {
    await using double = await httpDouble();
    double
      .next({ status: 404 }, (request) => ({ headers: { 'x-path': request.path }, body: request.body }))
      .always({ status: 204, headers: { 'content-length': '0' } });
    expect((await fetch(double.url)).status).toBe(404);
    const echoed = await fetch(double.url, { method: 'POST', body: 'héllo' });
    expect([echoed.headers.get('x-path'), await echoed.text()]).toEqual(['/mcp', 'héllo']);
    expect((await fetch(double.url)).status).toBe(204);
    expect(double.requests.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['POST', 'héllo'],
      ['GET', ''],
    ]);
    expect(double.port).toBe(Number(new URL(double.url).port));
    expect(double.connections).toBeGreaterThanOrEqual(1);
    expect(double.openConnections).toBeLessThanOrEqual(double.connections);
  });

  test('without an answer left says so', async () => {
    await using double = await httpDouble();
    const response = await fetch(double.url);
    expect([response.status, await response.text()]).toEqual([500, 'The double has no answer left.']);
  });

  test('writes exactly these bytes in exactly these steps', async () => {
    await using double = await httpDouble();
    const bytes = httpBytes({ body: 'abc' }).toString();
    double.next([
      { write: bytes.slice(0, 10) },
      { waitMs: 1 },
      { until: Promise.resolve() },
      { write: bytes.slice(10) },
      'end',
    ]);
    expect(await exchange(double.port, 'GET /a HTTP/1.1\r\n', 'host: x\r\n\r\n')).toBe(bytes);
    double.next([{ write: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf' }, 'cut']);
    const cut = await fetch(double.url);
    await expect(cut.text()).rejects.toThrow(/terminated/);
  });

  test('a hanging answer is let go when the double closes', async () => {
    const double = await httpDouble();
    double.next(['hang']);
    const answer = exchange(double.port, 'GET /a HTTP/1.1\r\n\r\n').catch(() => '');
    while (double.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await double.close();
    expect(await answer).toBe('');
    expect(double.openConnections).toBe(0);
  });

  test('a responder that fails cuts the socket', async () => {
    await using double = await httpDouble();
    double.next(() => {
      throw new Error('the test itself is wrong');
    });
    await expect(fetch(double.url)).rejects.toThrow(/fetch failed/);
  });
});

describe('servers that are none', () => {
  test('a dead port refuses', async () => {
    const { port, url } = await deadPort();
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`);
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  test('a hanging server accepts and says nothing', async () => {
    await using server = await hangingServer();
    await expect(fetch(server.url, { signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/);
    expect(server.connections).toBe(1);
  });

  test.each([
    ['html', 'text/html; charset=utf-8', /<html>/],
    ['invalid-json', 'application/json', /\{$/],
    ['not-json-rpc', 'application/json', /hello/],
    ['wrong-content-type', 'text/plain', /jsonrpc/],
    ['empty', 'application/json', /^$/],
    ['binary', 'application/json', /\u0000/],
  ] as const)('a rubbish server answers with %s', async (kind: Rubbish, type, body) => {
    await using server = await rubbishServer(kind);
    const response = await fetch(server.url, { method: 'POST', body: '{}' });
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toMatch(body);
  });

  test('a server that does not even speak HTTP', async () => {
    await using server = await rubbishServer('not-http');
    await expect(fetch(server.url)).rejects.toThrow(/fetch failed/);
  });
});
