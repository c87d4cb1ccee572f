import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startHttpTap } from './http-tap.js';
import { Recorder } from './recorder.js';
import { parseRecording } from './recording.js';
import { serveReplayHttp } from './replay-http.js';
import { Replayer } from './replayer.js';

const question = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const answer = { jsonrpc: '2.0', id: 1, result: { tools: [] } };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** fetch() does not let a caller choose Host and Origin. */
const ask = (url: string, body: string, { method = 'POST', headers = {} }: Asked = {}) =>
  new Promise<{ status: number; type: string | undefined; text: string }>((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'], text }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });

const bodyOf = async (message: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of message.setEncoding('utf8')) text += String(chunk);
  return text;
};

describe('a recording that is served over HTTP', () => {
  const serve = async () => {
    const messages = [
      { at: 0, from: 'client' as const, message: question },
      { at: 1, from: 'server' as const, message: answer },
    ];
    const served = await serveReplayHttp(new Replayer({ label: 'x', recordedAt: '', messages }));
    closing.push(() => served.close());
    return served;
  };

  test('listens on this machine only, and closes open connections at the end', async () => {
    const served = await serve();
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/u);
    const unfinished = request(served.url, { method: 'POST' });
    const cut = new Promise((resolve) => unfinished.on('error', resolve));
    await new Promise<void>((resolve) => {
      unfinished.on('socket', (socket) => socket.on('connect', resolve));
      unfinished.write('{');
    });
    await served.close();
    await expect(cut).resolves.toBeInstanceOf(Error);
    await expect(ask(served.url, '{}')).rejects.toThrow('ECONNREFUSED');
  });

  test('answers requests, and accepts notifications', async () => {
    const { url } = await serve();
    const asked = await ask(url, JSON.stringify({ ...question, id: 'a' }));
    expect([asked.status, asked.type, JSON.parse(asked.text)]).toEqual([
      200,
      'application/json',
      { ...answer, id: 'a' },
    ]);
    const noticed = await ask(url, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    expect([noticed.status, noticed.text]).toEqual([202, '']);
  });

  test.each([
    ['a page of another site', { headers: { origin: 'https://attacker.example' } }, 403],
    ['a site whose name begins like this machine', { headers: { origin: 'http://localhost.attacker.example' } }, 403],
    ['a name that was bound to this machine', { headers: { host: 'attacker.example' } }, 403],
    ['a page of this machine', { headers: { origin: 'http://localhost:8080' } }, 200],
    ['another method', { method: 'PUT' }, 405],
  ])('answers %s with the right status', async (_what, asked: Asked, status) => {
    const { url } = await serve();
    expect((await ask(url, JSON.stringify(question), asked)).status).toBe(status);
  });

  test.each([
    ['no JSON', 'nonsense'],
    ['no object', '[]'],
  ])('refuses a body that is %s', async (_what, body) => {
    const { url } = await serve();
    const { status, text } = await ask(url, body);
    expect([status, JSON.parse(text)]).toMatchObject([400, { id: null, error: { code: -32_700 } }]);
  });

  test('refuses a body that is too long', async () => {
    const { url } = await serve();
    const asked = ask(url, ' '.repeat(16 * 1024 * 1024 + 1)).then(({ status }) => status);
    // The server stops reading: the client hears of it by the status, or by the connection that is closed.
    await expect(asked.catch(() => 400)).resolves.toBe(400);
  });
});

describe('a proxy that records', () => {
  const upstream = async (take: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>) => {
    const server = createServer((incoming, response) => void take(incoming, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    closing.push(close);
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/deep/mcp`, close };
  };

  const tap = async (url: string) => {
    let recorded = '';
    const proxy = await startHttpTap(url, new Recorder({ label: 'x', write: (text) => void (recorded += text) }));
    closing.push(() => proxy.close());
    const messages = () => parseRecording(recorded, 'x').messages.map(({ from, message }) => [from, message]);
    return { url: proxy.url, messages, recorded: () => recorded };
  };

  test('passes requests and answers on, and records both without headers', async () => {
    const seen: { headers?: object; path?: string | undefined; body?: string } = {};
    const server = await upstream(async (incoming, response) => {
      Object.assign(seen, { headers: incoming.headers, path: incoming.url, body: await bodyOf(incoming) });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const proxy = await tap(server.url);
    const headers = { authorization: 'Bearer canary-7', 'accept-encoding': 'gzip' };
    const { status, text } = await ask(proxy.url, JSON.stringify(question), { headers });
    expect([status, JSON.parse(text), JSON.parse(seen.body ?? '')]).toEqual([200, answer, question]);
    expect(seen.path).toBe('/deep/mcp');
    expect(seen.headers).toMatchObject({
      host: new URL(server.url).host,
      authorization: 'Bearer canary-7',
      'accept-encoding': 'identity',
    });
    expect(proxy.messages()).toEqual([
      ['client', question],
      ['server', answer],
    ]);
    expect(proxy.recorded()).not.toContain('canary-7');
  });

  test('records the events of a stream', async () => {
    const notice = { jsonrpc: '2.0', method: 'notifications/progress' };
    const body = [notice, answer].map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join('');
    const server = await upstream((incoming, response) => {
      incoming.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).end(body);
    });
    const proxy = await tap(server.url);
    expect((await ask(proxy.url, JSON.stringify(question))).text).toBe(body);
    expect(proxy.messages().slice(1)).toEqual([
      ['server', notice],
      ['server', answer],
    ]);
  });

  test('answers 502 when the server cannot be reached', async () => {
    const server = await upstream(() => undefined);
    await server.close();
    const proxy = await tap(server.url);
    expect((await ask(proxy.url, JSON.stringify(question))).status).toBe(502);
    expect(proxy.messages()).toEqual([['client', question]]);
  });
});
