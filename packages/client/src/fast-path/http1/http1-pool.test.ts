import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { deferred } from '@plugboard/base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { NetworkOptions } from '../../network/http-dispatcher.js';
import type { Http1Controller } from './http1-handler.js';
import { Http1Pool } from './http1-pool.js';
import { MALFORMED_ANSWERS } from './test-support/malformed-answers.js';
import { MemoryServer } from './test-support/memory-server.js';
import { answerOf, postText } from './test-support/post-text.js';
import type { Responder } from './test-support/raw-server.js';
import { Recorder } from './test-support/recorder.js';

let server: MemoryServer;
let pool: Http1Pool;

const setUp = (respond: Responder, network: NetworkOptions = {}) => {
  server = new MemoryServer(respond);
  pool = new Http1Pool({ url: new URL('http://host:1/mcp'), network, connect: server.connect });
  return { server, pool };
};

afterEach(async () => {
  vi.useRealTimers();
  await pool.destroy();
});

const echo: Responder = (socket, body) => void socket.write(answerOf(body));
const textOf = async (recorder: Recorder): Promise<string> => (await recorder.answer).body.toString();
const send = (text: string): Promise<string> => textOf(postText(pool, text));
const reason = new Error('not wanted');

describe('a pool over memory', () => {
  it('writes requests in the right form, and the same head from its copy', async () => {
    setUp(echo);
    await send('häl');
    await send('0123456789');
    const head = 'POST /mcp HTTP/1.1\r\nhost: test\r\ncontent-type: text/plain\r\n';
    expect(server.received).toEqual([
      `${head}content-length: 4\r\n\r\n${Buffer.from('häl').toString('latin1')}`,
      `${head}content-length: 10\r\n\r\n0123456789`,
    ]);
    expect(server.sockets).toHaveLength(1);
  });

  it('reads an answer byte by byte, with interim answers, chunks, extensions and trailers', async () => {
    const chunks = '5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nx-t: 1\r\n\r\n';
    const fields =
      'Content-Type: a/b\r\ncontent-type: c/d\r\nset-cookie: 1\r\nset-cookie: 2\r\nvary: a\r\nvary: b\r\ncookie: x\r\ncookie: y\r\n';
    const bytes = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${fields}transfer-encoding: chunked\r\n\r\n${chunks}`;
    const play = async (socket: Socket): Promise<void> => {
      for (const byte of bytes) {
        socket.write(byte);
        await turn();
      }
    };
    setUp((socket) => void play(socket));
    const { status, headers, body, contentType } = await postText(pool, 'x').answer;
    expect([status, body.toString(), contentType]).toEqual([200, 'hello world', 'a/b']);
    expect(headers).toMatchObject({ 'set-cookie': ['1', '2'], vary: 'a, b', cookie: 'x; y', 'content-type': 'a/b' });
  });

  it('reads an answer that ends with its connection', async () => {
    setUp((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
    expect(await send('x')).toBe('all of it');
  });

  it.each(['204 No Content', '304 Not Modified'])('knows that %s has no body', async (status) => {
    setUp((socket) => void socket.write(`HTTP/1.1 ${status}\r\n\r\n`));
    expect(await send('a')).toBe('');
    expect(await send('b')).toBe('');
    expect(server.sockets).toHaveLength(1);
  });

  it.each(MALFORMED_ANSWERS)('rejects a malformed answer and its connection: %s', async (_what, bytes) => {
    setUp((socket, body, index) => void socket.write(index === 0 ? Buffer.from(bytes, 'latin1') : answerOf(body)));
    const recorder = postText(pool, 'x');
    await expect(recorder.answer).rejects.toMatchObject({ code: expect.stringMatching(/^HPE_/u) as string });
    expect(recorder.events.filter((event) => event === 'error' || event === 'end')).toEqual(['error']);
    expect(await send('y')).toBe('y');
    expect(server.sockets).toHaveLength(2);
  });

  it.each([
    ['the server says so', (body: string) => answerOf(body, 'Connection: foo, Close\r\n')],
    ['it is HTTP/1.0', (body: string) => answerOf(body).replace('1.1', '1.0')],
    ['bytes are left over', (body: string) => `${answerOf(body)}H`],
    ['the keep-alive time is too short', (body: string) => answerOf(body, 'keep-alive: timeout=1\r\n')],
    ['a body follows a 204', () => 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n'],
  ])('does not reuse a connection when %s', async (_why, write) => {
    setUp((socket, body) => void socket.write(write(body)));
    await send('a');
    await send('b');
    expect(server.sockets).toHaveLength(2);
  });

  it('does not reuse a connection whose answer its handler does not recognise', async () => {
    setUp(echo);
    const recorder = new Recorder();
    recorder.trusts = false;
    await postText(pool, 'a', recorder).answer;
    await send('b');
    expect(server.sockets).toHaveLength(2);
  });

  it('survives handlers that throw', async () => {
    setUp(echo);
    const throwing = (method: 'onRequestStart' | 'onResponseStart' | 'onResponseEnd') =>
      Object.assign(new Recorder(), {
        [method]: () => {
          throw reason;
        },
      });
    await expect(postText(pool, 'a', throwing('onRequestStart')).answer).rejects.toBe(reason);
    await expect(postText(pool, 'a', throwing('onResponseStart')).answer).rejects.toBe(reason);
    postText(pool, 'a', throwing('onResponseEnd'));
    expect(await send('b')).toBe('b');
  });

  it('closes a connection on which bytes come unasked', async () => {
    setUp(echo);
    await send('a');
    server.sockets[0]?.write(answerOf('wrong'));
    await vi.waitFor(() => expect(server.clients[0]?.destroyed).toBe(true), 20_000);
    expect(await send('b')).toBe('b');
  });

  it('lets idle connections go and closes the old ones, and keeps those that the server promises to keep', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    setUp((socket, body) => void socket.write(answerOf(body, body === 'kept' ? 'Keep-Alive: timeout=60\r\n' : '')), {
      keepAliveMs: 2_000,
    });
    await Promise.all([send('a'), send('kept')]);
    vi.advanceTimersByTime(1_000);
    expect(server.clients.map(({ isHeld }) => isHeld)).toEqual([false, false]);
    vi.advanceTimersByTime(2_000);
    expect(server.clients.map(({ destroyed }) => destroyed)).toEqual([true, false]);
    await send('kept');
    expect([server.sockets.length, server.clients[1]?.isHeld]).toEqual([2, true]);
  });

  it('keeps no connections of a server that closes them right after its first answer', async () => {
    // However long it takes on a busy machine, it is right after for the pool.
    vi.useFakeTimers({ toFake: ['performance'] });
    setUp((socket, body) => {
      socket.write(answerOf(body));
      setImmediate(() => socket.end());
    });
    await send('a');
    await expect.poll(() => server.clients[0]?.destroyed).toBe(true);
    await send('b');
    expect(server.clients[1]?.destroyed).toBe(true);
  });

  it('fails a request whose connection closes, and says how much was written', async () => {
    setUp((socket) => void socket.end());
    await expect(send('a')).rejects.toMatchObject({ code: 'UND_ERR_SOCKET', socket: { bytesWritten: 80 } });
    setUp((socket) => void socket.destroy());
    await expect(send('a')).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    setUp((_socket, _body, index) => void server.clients[index]?.destroy(reason));
    await expect(send('a')).rejects.toBe(reason);
  });

  it('opens at most as many connections as it may; the others wait', async () => {
    setUp(echo, { connections: 2 });
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(send))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(server.sockets).toHaveLength(2);
  });

  it('fails one request for each connection that cannot be made', async () => {
    setUp(echo, { connections: 1 });
    server.refusals.push(new Error('refused'));
    const [first, second] = [postText(pool, 'a'), postText(pool, 'b')];
    await expect(first.answer).rejects.toThrow('refused');
    expect(first.events).toEqual(['error-unstarted']);
    expect(await textOf(second)).toBe('b');
    const connect = (): never => {
      throw new Error('no such address');
    };
    pool = new Http1Pool({ url: new URL('http://[::1]:1/'), network: {}, connect });
    await expect(send('c')).rejects.toThrow('no such address');
  });

  it('keeps a connection that is ready when nobody needs it any more', async () => {
    setUp(echo);
    const gate = deferred<void>();
    server.gate = gate.promise;
    const both = [postText(pool, 'a'), postText(pool, 'b')].map(textOf);
    await turn();
    gate.resolve();
    await Promise.all(both);
    await send('c');
    expect(server.sockets).toHaveLength(2);
  });
});

class AbortsAtStart extends Recorder {
  override onRequestStart(controller: Http1Controller): void {
    super.onRequestStart(controller);
    controller.abort(reason);
  }
}

describe('a controller', () => {
  it('aborts before the request is written, and the connection serves the next', async () => {
    setUp(echo);
    const aborted = postText(pool, 'a', new AbortsAtStart());
    await expect(aborted.answer).rejects.toBe(reason);
    expect(await send('b')).toBe('b');
    expect([server.sockets.length, server.received.length]).toEqual([1, 1]);
  });

  it('aborts in the middle of an answer, and reaches nothing afterwards', async () => {
    setUp((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'));
    const recorder = postText(pool, 'a');
    await vi.waitFor(() => expect(recorder.size).toBe(3), 20_000);
    recorder.controller?.abort(reason);
    await expect(recorder.answer).rejects.toBe(reason);
    recorder.controller?.abort(reason);
    recorder.controller?.pause();
    recorder.controller?.resume();
    expect(recorder.events.at(-1)).toBe('error');
  });

  it('pauses and resumes what is read', async () => {
    setUp((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nabc'));
    const recorder = new (class extends Recorder {
      override onResponseData(...told: Parameters<Recorder['onResponseData']>): void {
        super.onResponseData(...told);
        told[0].pause();
      }
    })();
    postText(pool, 'a', recorder);
    await vi.waitFor(() => expect(recorder.size).toBe(3), 20_000);
    server.sockets[0]?.write('def');
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(recorder.size).toBe(3);
    recorder.controller?.resume();
    expect(await textOf(recorder)).toBe('abcdef');
  });

  it('cannot save a request from the end of the pool', async () => {
    setUp(() => undefined, { connections: 1 });
    const [running, waiting] = [postText(pool, 'a'), postText(pool, 'b')];
    await vi.waitFor(() => expect(server.received).toHaveLength(1), 20_000);
    const gone = pool.destroy();
    await expect(running.answer).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
    await expect(waiting.answer).rejects.toMatchObject({ socket: { bytesWritten: 0 } });
    await gone;
    await expect(send('c')).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
  });

  it('is not told of connections that are made after the end of the pool', async () => {
    setUp(echo);
    const gate = deferred<void>();
    server.gate = gate.promise;
    const recorder = postText(pool, 'a');
    await turn();
    await pool.destroy();
    gate.resolve();
    await expect(recorder.answer).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
    await vi.waitFor(() => expect(server.clients[0]?.destroyed).toBe(true), 20_000);
  });
});
