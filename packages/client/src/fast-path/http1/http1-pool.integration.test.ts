import { createServer as createTlsServer } from 'node:tls';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { networkError } from '../../error/network-error.js';
import type { NetworkOptions } from '../../network/http-dispatcher.js';
import type { Http1Controller } from './http1-handler.js';
import { Http1Pool } from './http1-pool.js';
import { answerOf, postText } from './test-support/post-text.js';
import { RawServer, type Responder } from './test-support/raw-server.js';
import { Recorder } from './test-support/recorder.js';
import { testCertificate, testKey } from './test-support/test-certificate.js';

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const poolFor = (url: URL, network: NetworkOptions = {}): Http1Pool => {
  const pool = new Http1Pool({ url, network });
  cleanUps.push(() => pool.destroy());
  return pool;
};

const setUp = async (respond: Responder, network?: NetworkOptions) => {
  const server = new RawServer(respond);
  cleanUps.push(() => server.close());
  const url = await server.listen();
  return { server, url, pool: poolFor(url, network) };
};

const echo: Responder = (socket, body) => void socket.write(answerOf(body));

const textOf = async (recorder: Recorder): Promise<string> => (await recorder.answer).body.toString();

const failureOf = (recorder: Recorder): Promise<Error> =>
  recorder.answer.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );

const until = async (condition: () => boolean): Promise<void> => {
  const end = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error('it did not come to pass');
    await sleep(2);
  }
};

const reason = new Error('nobody waits for it');

class AbortsAtStart extends Recorder {
  override onRequestStart(controller: Http1Controller): void {
    super.onRequestStart(controller);
    controller.abort(reason);
  }
}

describe('connections', () => {
  it('write a request in the right form', async () => {
    const { server, pool } = await setUp(echo);
    await postText(pool, 'häl').answer;
    expect(server.received).toEqual([
      `POST /mcp HTTP/1.1\r\nhost: test\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\n${Buffer.from('häl').toString('latin1')}`,
    ]);
  });

  it('send a large body whole, and the next request after it', async () => {
    const { server, pool } = await setUp(echo);
    const large = Array.from({ length: 300_000 }, (_, index) => String(index)).join(' ');
    expect((await textOf(postText(pool, large))) === large).toBe(true);
    expect(await textOf(postText(pool, 'small'))).toBe('small');
    expect(server.sockets).toHaveLength(1);
  });

  it('are used again, the last one first', async () => {
    const { server, pool } = await setUp((socket, _body, index) => void socket.write(answerOf(String(index))));
    const both = await Promise.all([textOf(postText(pool, 'a')), textOf(postText(pool, 'b'))]);
    expect(both.toSorted()).toEqual(['0', '1']);
    const last = both[1];
    for (let turn = 0; turn < 5; turn += 1) expect(await textOf(postText(pool, 'c'))).toBe(last);
    expect(server.sockets).toHaveLength(2);
  });

  it('serve a request that is made when the one before it ends', async () => {
    const { server, pool } = await setUp(echo);
    const second = new Recorder();
    const first = new (class extends Recorder {
      override onResponseEnd(): boolean {
        postText(pool, 'second', second);
        return super.onResponseEnd();
      }
    })();
    postText(pool, 'first', first);
    expect([await textOf(first), await textOf(second)]).toEqual(['first', 'second']);
    expect(server.sockets).toHaveLength(1);
  });

  it('are not used again when the answer is not the one that was asked for', async () => {
    const { server, pool } = await setUp(echo);
    const recorder = new Recorder();
    recorder.trusts = false;
    await postText(pool, 'a', recorder).answer;
    expect(await textOf(postText(pool, 'b'))).toBe('b');
    expect(await textOf(postText(pool, 'c'))).toBe('c');
    expect(server.sockets).toHaveLength(2);
  });

  it.each([
    ['the server says so', (body: string) => answerOf(body, 'Connection: foo, Close\r\n')],
    ['it is HTTP/1.0', (body: string) => answerOf(body).replace('1.1', '1.0')],
    ['bytes are left over', (body: string) => `${answerOf(body)}H`],
    ['the hint leaves no time', (body: string) => answerOf(body, 'keep-alive: timeout=1\r\n')],
    ['a body follows what has none', () => 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n'],
  ])('are not used again when %s', async (_why, write) => {
    const { server, pool } = await setUp((socket, body) => void socket.write(write(body)));
    await postText(pool, 'a').answer;
    await postText(pool, 'b').answer;
    expect(server.sockets).toHaveLength(2);
  });

  it('are closed when bytes come that nobody asked for', async () => {
    const { server, pool } = await setUp(echo);
    await postText(pool, 'a').answer;
    server.sockets[0]?.write(answerOf('wrong'));
    await server.firstClosed();
    expect(await textOf(postText(pool, 'b'))).toBe('b');
  });

  it('are closed when they were idle for too long', async () => {
    const { server, pool } = await setUp(echo, { keepAliveMs: 30 });
    await postText(pool, 'a').answer;
    await server.firstClosed();
    await postText(pool, 'b').answer;
    expect(server.sockets).toHaveLength(2);
  });

  it('serve one request each when they may not be idle at all', async () => {
    const { server, pool } = await setUp(echo, { keepAliveMs: 0 });
    for (const text of ['a', 'b']) expect(await textOf(postText(pool, text))).toBe(text);
    expect(server.sockets).toHaveLength(2);
  });

  it('are kept for as long as the server promises', async () => {
    const fields = 'Keep-Alive: max=5, Timeout=60\r\n';
    const { server, pool } = await setUp((socket, body) => void socket.write(answerOf(body, fields)), {
      keepAliveMs: 20,
    });
    await postText(pool, 'a').answer;
    await sleep(100);
    await postText(pool, 'b').answer;
    expect(server.sockets).toHaveLength(1);
  });

  it('are not used again once the server closed them', async () => {
    const { server, pool } = await setUp(echo);
    await postText(pool, 'a').answer;
    server.sockets[0]?.end();
    await server.firstClosed();
    expect(await textOf(postText(pool, 'b'))).toBe('b');
    expect(server.sockets).toHaveLength(2);
  });

  it('are waited for in turn at the limit', async () => {
    const order: string[] = [];
    const { server, pool } = await setUp(
      (socket, body) => {
        order.push(body);
        socket.write(answerOf(body));
      },
      { connections: 1 },
    );
    const names = Array.from({ length: 20 }, (_, index) => String(index));
    await Promise.all(names.map((name) => postText(pool, name).answer));
    expect(order).toEqual(names);
    expect(server.sockets).toHaveLength(1);
  });

  it('make room for those who wait when they fail', async () => {
    const { server, pool } = await setUp(
      (socket, body) => (body === 'bad' ? void socket.destroy() : echo(socket, body, 0)),
      {
        connections: 1,
      },
    );
    const bad = failureOf(postText(pool, 'bad'));
    expect(await textOf(postText(pool, 'good'))).toBe('good');
    expect(await bad).toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(server.sockets).toHaveLength(2);
  });
});

describe('failures', () => {
  it.each([
    ['before the answer', ''],
    ['in the head', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
    ['between chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n'],
  ])('tell what was written when the server closes %s', async (_when, bytes) => {
    const { pool } = await setUp((socket) => void socket.end(bytes));
    const recorder = postText(pool, 'x');
    const error = await failureOf(recorder);
    expect(error).toMatchObject({ code: 'UND_ERR_SOCKET', socket: { bytesWritten: expect.any(Number) as number } });
    expect(networkError(error, 'test')).toMatchObject({ code: 'UPSTREAM_CLOSED', delivery: 'ambiguous' });
    expect(recorder.events.filter((event) => event.startsWith('error'))).toEqual(['error']);
  });

  it('keep the error of a reset connection', async () => {
    const { pool } = await setUp((socket) => void socket.resetAndDestroy());
    expect(await failureOf(postText(pool, 'x'))).toMatchObject({ code: 'ECONNRESET' });
  });

  it('keep the error of a refused connection, for everybody who waits', async () => {
    const { server, url } = await setUp(echo);
    await server.close();
    const pool = poolFor(url, { connections: 2 });
    const recorders = Array.from({ length: 5 }, () => postText(pool, 'x'));
    const errors = await Promise.all(recorders.map(failureOf));
    for (const error of errors) {
      expect(networkError(error, 'test')).toMatchObject({ code: 'UPSTREAM_REFUSED', delivery: 'not-executed' });
    }
    expect(recorders.map(({ events }) => events)).toEqual(recorders.map(() => ['error-unstarted']));
  });

  it('keep the error of a name that may not be used', async () => {
    const refused = Object.assign(new Error('not this one'), { code: 'ENOTFOUND' });
    const pool = poolFor(new URL('http://refused.test/'), {
      lookup: (_host, _options, callback) => callback(refused, ''),
    });
    expect(await failureOf(postText(pool, 'x'))).toBe(refused);
  });

  it('of a port that cannot be are told as well', async () => {
    const pool = poolFor(new URL('http://127.0.0.1:0/'));
    expect(await failureOf(postText(pool, 'x'))).toBeInstanceOf(Error);
  });

  it.each(['onRequestStart', 'onResponseStart', 'onResponseData'] as const)(
    'in %s end the request only',
    async (method) => {
      const { server, pool } = await setUp(echo);
      const recorder = new Recorder();
      recorder[method] = () => {
        throw reason;
      };
      postText(pool, 'x', recorder);
      expect(await failureOf(recorder)).toBe(reason);
      expect(await textOf(postText(pool, 'y'))).toBe('y');
      expect(server.sockets).toHaveLength(2);
    },
  );

  it('at the end are nobody else’s concern', async () => {
    const { pool } = await setUp(echo);
    const recorder = new (class extends Recorder {
      override onResponseEnd(): boolean {
        super.onResponseEnd();
        throw reason;
      }
    })();
    postText(pool, 'x', recorder);
    await recorder.answer;
    expect(await textOf(postText(pool, 'y'))).toBe('y');
    expect(recorder.events).toEqual(['start', 'head', 'data', 'end']);
  });
});

describe('abort', () => {
  it('at the start writes nothing, and leaves the connection as it was', async () => {
    const { server, pool } = await setUp(echo);
    const recorder = new AbortsAtStart();
    postText(pool, 'x', recorder);
    expect(await failureOf(recorder)).toBe(reason);
    expect(await textOf(postText(pool, 'y'))).toBe('y');
    expect(recorder.events).toEqual(['start', 'error']);
    expect([server.received.length, server.sockets.length]).toEqual([1, 1]);
  });

  it('lets those who wait have the connection', async () => {
    const { server, pool } = await setUp(echo, { connections: 1 });
    const aborted = postText(pool, 'x', new AbortsAtStart());
    expect(await textOf(postText(pool, 'y'))).toBe('y');
    expect(await failureOf(aborted)).toBe(reason);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['before the head', ''],
    ['in the middle of the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
  ])('%s closes the connection', async (_when, bytes) => {
    const { server, pool } = await setUp(
      (socket, body) => void (body === 'x' ? socket.write(bytes) : echo(socket, body, 0)),
    );
    const recorder = postText(pool, 'x');
    await until(() => server.received.length === 1 && (bytes === '' || recorder.size === 4));
    const closed = server.firstClosed();
    recorder.controller?.abort(reason);
    recorder.controller?.abort(new Error('again'));
    expect(await failureOf(recorder)).toBe(reason);
    await closed;
    expect(recorder.events.filter((event) => event === 'error')).toHaveLength(1);
    expect(await textOf(postText(pool, 'y'))).toBe('y');
  });

  it.each(['onResponseStart', 'onResponseData'] as const)('in %s ends it there', async (method) => {
    const chunks = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n';
    const { pool } = await setUp((socket) => void socket.write(chunks));
    const recorder = new Recorder();
    let calls = 0;
    recorder[method] = (controller: Http1Controller) => {
      calls += 1;
      controller.abort(reason);
    };
    postText(pool, 'x', recorder);
    expect(await failureOf(recorder)).toBe(reason);
    expect([calls, recorder.size, recorder.events.includes('end')]).toEqual([1, 0, false]);
  });

  it('after the end does not reach the next request on the connection', async () => {
    const pending: Socket[] = [];
    const { server, pool } = await setUp((socket, body) =>
      body === 'b' ? void pending.push(socket) : echo(socket, body, 0),
    );
    const first = postText(pool, 'a');
    await first.answer;
    const second = postText(pool, 'b');
    await until(() => pending.length === 1);
    first.controller?.pause();
    first.controller?.abort(reason);
    pending[0]?.write(answerOf('still here'));
    expect(await textOf(second)).toBe('still here');
    expect(server.sockets).toHaveLength(1);
    expect(first.events).toEqual(['start', 'head', 'data', 'end']);
  });
});

describe('pause', () => {
  it('bounds what is read, and resume reads on', async () => {
    const large = Buffer.alloc(32 * 1024 * 1024, 'x');
    const { server, pool } = await setUp((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${large.length}\r\n\r\n`);
      socket.write(large);
    });
    const recorder = new (class extends Recorder {
      override onResponseStart(...args: Parameters<Recorder['onResponseStart']>): void {
        super.onResponseStart(...args);
        args[0].pause();
      }
    })();
    postText(pool, 'x', recorder);
    await until(() => recorder.events.includes('head'));
    await sleep(50);
    expect(recorder.size).toBeLessThanOrEqual(256 * 1024);
    expect(server.sockets[0]?.writableLength).toBeGreaterThan(0);
    recorder.controller?.resume();
    expect((await recorder.answer).body.length).toBe(large.length);
  });

  it('ends with the request', async () => {
    const { server, pool } = await setUp(echo);
    const recorder = new (class extends Recorder {
      override onResponseData(controller: Http1Controller, chunk: Buffer): void {
        super.onResponseData(controller, chunk);
        controller.pause();
      }
    })();
    postText(pool, 'x', recorder);
    await recorder.answer;
    expect(await textOf(postText(pool, 'y'))).toBe('y');
    expect(server.sockets).toHaveLength(1);
  });
});

describe('destroy', () => {
  it('fails what is under way and what waits, and closes everything', async () => {
    const { server, pool } = await setUp(() => undefined, { connections: 1 });
    const recorders = [postText(pool, 'a'), postText(pool, 'b')];
    await until(() => server.received.length === 1);
    const closed = server.firstClosed();
    await pool.destroy();
    const errors = await Promise.all(recorders.map(failureOf));
    expect(errors.map((error) => networkError(error, 'test').delivery)).toEqual(['ambiguous', 'not-executed']);
    await closed;
    const late = postText(pool, 'c');
    expect(await failureOf(late)).toMatchObject({ code: 'UND_ERR_DESTROYED' });
    expect(recorders.map(({ events }) => events)).toEqual([['start', 'error'], ['error-unstarted']]);
  });

  it('gives up connections that are being made', async () => {
    const { server, url } = await setUp(echo);
    const pool = new Http1Pool({ url, network: {} });
    const recorder = postText(pool, 'x');
    await new Promise(setImmediate);
    await pool.destroy();
    expect(networkError(await failureOf(recorder), 'test')).toMatchObject({ delivery: 'not-executed' });
    expect(server.received).toEqual([]);
  });
});

describe('TLS', () => {
  const secure = async (network: NetworkOptions) => {
    const server = new RawServer(echo, createTlsServer({ cert: testCertificate, key: testKey }));
    cleanUps.push(() => server.close());
    return { server, pool: poolFor(await server.listen(), network) };
  };

  it('trusts the authorities that were given', async () => {
    const { server, pool } = await secure({ ca: [testCertificate] });
    for (const text of ['a', 'b', 'c']) expect(await textOf(postText(pool, text))).toBe(text);
    expect(server.sockets).toHaveLength(1);
  });

  it('trusts nobody else', async () => {
    const { pool } = await secure({});
    const error = await failureOf(postText(pool, 'x'));
    expect(networkError(error, 'test')).toMatchObject({ code: 'UPSTREAM_TLS', delivery: 'not-executed' });
  });
});
