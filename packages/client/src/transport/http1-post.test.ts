import { afterEach, describe, expect, it } from 'vitest';
import { Http1Pool } from '../fast-path/http1/http1-pool.js';
import { MemoryServer } from '../fast-path/http1/test-support/memory-server.js';
import type { Responder } from '../fast-path/http1/test-support/raw-server.js';
import { Http1Posts, type Http1Ask } from './http1-post.js';
import { readText } from './read-body.js';

const ID = 2 ** 50 + 7;
const url = new URL('http://host:1/mcp?a=b');
const JSON_TYPE = 'content-type: application/json\r\n';
const body = JSON.stringify({ jsonrpc: '2.0', id: ID, result: {} });
const head = (fields: string, status = '200 OK'): string => `HTTP/1.1 ${status}\r\n${fields}`;
const sized = (text: string, fields = JSON_TYPE, status?: string): string =>
  `${head(fields, status)}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

let pool: Http1Pool;

const setUp = (respond: Responder) => {
  const server = new MemoryServer(respond);
  pool = new Http1Pool({ url, network: {}, connect: server.connect });
  const posts = new Http1Posts(pool);
  const gone = new AbortController();
  const post = (change: Partial<Http1Ask> = {}) =>
    posts.post({ url, id: ID, headers: { accept: 'a' }, body: 'asked', signal: gone.signal, ...change });
  const textOf = async (answer: ReturnType<typeof post>): Promise<string> => {
    if (answer === undefined) throw new Error('not for the pool');
    return readText(await answer, { signal: gone.signal, host: url.host });
  };
  return { server, post, textOf, gone };
};

const always =
  (answer: string): Responder =>
  (socket) =>
    void socket.write(answer);

afterEach(() => pool.destroy());

describe('a request of the full path', () => {
  it('is posted with its fields, and its short answer of JSON comes as a whole', async () => {
    const { server, post, textOf } = setUp(always(sized(body)));
    const answer = await post();
    expect([answer?.status, answer?.whole?.toString(), answer?.headers['content-type']]).toEqual([
      200,
      body,
      'application/json',
    ]);
    expect(await textOf(post())).toBe(body);
    expect(server.received).toEqual(
      Array.from(
        { length: 2 },
        () =>
          'POST /mcp?a=b HTTP/1.1\r\nhost: host:1\r\nconnection: keep-alive\r\naccept: a\r\ncontent-length: 5\r\n\r\nasked',
      ),
    );
    expect(server.sockets).toHaveLength(1);
  });

  it('uses no connection again whose answer does not name it', async () => {
    const { server, post } = setUp(always(sized('{"jsonrpc":"2.0","id":1,"result":{}}')));
    await post();
    await post();
    expect(server.sockets).toHaveLength(2);
  });

  it.each([
    ['of an event stream', sized(`data: ${body}\n\n`, 'content-type: text/event-stream\r\n'), 200],
    ['of a failure', sized('no', JSON_TYPE, '503 Busy'), 503],
    ['that is long', sized(body.padEnd(100_000)), 200],
  ])('has the body %s to read', async (_what, text, status) => {
    const { post, textOf } = setUp(always(text));
    const answer = await post();
    expect([answer?.status, answer?.whole]).toEqual([status, undefined]);
    expect(await textOf(Promise.resolve(answer as NonNullable<typeof answer>))).toBe(text.split('\r\n\r\n')[1]);
  });

  it('tells of signs of life while its answer is gathered', async () => {
    const heard: string[] = [];
    const { post } = setUp(always(sized(body)));
    await post({ onActivity: () => heard.push('bytes') });
    expect(heard.length).toBeGreaterThan(0);
  });

  it.each([
    ['before its answer', '', 'ambiguous'],
    ['in the middle of it', `${head(JSON_TYPE)}content-length: 100\r\n\r\n{`, 'ambiguous'],
  ])('fails when the connection breaks %s', async (_when, text, delivery) => {
    const { post } = setUp((socket) => void socket.end(text));
    await expect(post()).rejects.toMatchObject({ code: 'UPSTREAM_CLOSED', delivery });
  });

  it('ends with its caller, also before it has a connection', async () => {
    const { server, post, gone } = setUp(() => undefined);
    let open = (): void => undefined;
    server.gate = new Promise((resolve) => (open = resolve));
    const answer = post();
    gone.abort();
    await expect(answer).rejects.toMatchObject({ code: 'CANCELLED', delivery: 'ambiguous' });
    open();
    await expect.poll(() => server.sockets.length).toBe(1);
    expect(server.received).toEqual([]);
  });

  it('ends with its caller while it waits for the answer, and so does its connection', async () => {
    const { server, post, gone } = setUp(() => undefined);
    const answer = post();
    await expect.poll(() => server.received.length).toBe(1);
    gone.abort();
    await expect(answer).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect.poll(() => server.clients[0]?.destroyed).toBe(true);
  });

  it('is left to undici with fields that belong to the connection, or an id that may stand anywhere', () => {
    const { post } = setUp(() => undefined);
    expect(post({ headers: { connection: 'close' } })).toBeUndefined();
    expect(post({ headers: { 'x-name': 'é\u0100' } })).toBeUndefined();
    expect(post({ id: 7 })).toBeUndefined();
  });
});
