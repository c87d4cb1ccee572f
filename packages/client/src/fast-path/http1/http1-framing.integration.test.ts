import { request } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Http1Pool } from './http1-pool.js';
import { MALFORMED_ANSWERS } from './test-support/malformed-answers.js';
import { answerOf, postText } from './test-support/post-text.js';
import { RawServer, type Responder } from './test-support/raw-server.js';

const setUp = async (respond: Responder) => {
  const server = new RawServer(respond);
  const url = await server.listen();
  const pool = new Http1Pool({ url, network: {} });
  return { server, url, pool };
};

interface Script {
  readonly bytes: Buffer;
  readonly cuts: readonly number[];
  readonly ends: boolean;
}

const oddCase = (text: string, upper: number): string =>
  text.replaceAll(/[a-z]/gu, (letter, index: number) =>
    ((upper >> (index % 16)) & 1) === 1 ? letter.toUpperCase() : letter,
  );

const anyName = fc
  .tuple(
    fc.constantFrom(
      'x-a',
      'x-b',
      'set-cookie',
      'www-authenticate',
      'server',
      'cookie',
      'etag',
      'content-type',
      'vary',
      'date',
    ),
    fc.nat(0xffff),
  )
  .map(([name, upper]) => oddCase(name, upper));
const anyValue = fc
  .array(
    fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x7f),
    { maxLength: 12 },
  )
  .chain((codes) =>
    fc.constantFrom('', ' ', '\t', ' \t ').map((gap) => {
      const text = String.fromCodePoint(...codes);
      return `${gap}${text.slice(0, 5)}${gap}${text.slice(5)}${gap}`;
    }),
  );
const anyFields = fc
  .array(fc.tuple(anyName, anyValue), { maxLength: 8 })
  .map((fields) => fields.map(([name, value]) => `${name}:${value}\r\n`).join(''));
const anyBody = fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ minLength: 200, maxLength: 3000 }));
const anyInterim = fc
  .array(fc.constantFrom('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nx-a: 1\r\n\r\n'), {
    maxLength: 2,
  })
  .map((heads) => heads.join(''));

const chunksOf = (body: Uint8Array, sizes: readonly number[], extension: string): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0, turnOf = 0; at < body.length; turnOf += 1) {
    const size = Math.min(sizes[turnOf % sizes.length] ?? 1, body.length - at);
    parts.push(
      Buffer.from(`${turnOf % 2 === 0 ? size.toString(16) : size.toString(16).toUpperCase()}${extension}\r\n`),
    );
    parts.push(Buffer.from(body.subarray(at, at + size)), Buffer.from('\r\n'));
    at += size;
  }
  return Buffer.concat(parts);
};

const framed = fc.oneof(
  anyBody.map((body) => ({ field: `Content-LENGTH: ${body.length}\r\n`, rest: Buffer.from(body), ends: false })),
  fc
    .tuple(
      anyBody,
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', ';a=1', ';name="value"'),
      fc.constantFrom('', 'x-trailer: 1\r\n', 'a: 1\r\nb: 2\r\n'),
    )
    .map(([body, sizes, extension, trailers]) => ({
      field: 'transfer-Encoding: Chunked\r\n',
      rest: Buffer.concat([chunksOf(body, sizes, extension), Buffer.from(`0${extension}\r\n${trailers}\r\n`)]),
      ends: false,
    })),
  anyBody.map((body) => ({ field: 'Connection: close\r\n', rest: Buffer.from(body), ends: true })),
  anyBody.map((body) => ({ field: '', rest: Buffer.from(body), ends: true })),
);

const anyScript: fc.Arbitrary<Script> = fc
  .tuple(
    anyInterim,
    fc.constantFrom(
      'HTTP/1.1 200 OK',
      'HTTP/1.1 202 ',
      'HTTP/1.1 404 Not \u00e9 Found',
      'HTTP/1.1 500',
      'HTTP/1.0 200 OK',
    ),
    fc.tuple(anyFields, anyFields),
    framed,
  )
  .chain(([interim, line, [before, after], { field, rest, ends }]) => {
    const head = Buffer.from(`${interim}${line}\r\n${before}${field}${after}\r\n`, 'latin1');
    const bytes = Buffer.concat([head, rest]);
    return fc
      .array(fc.nat(bytes.length), { maxLength: 6 })
      .map((cuts) => ({ bytes, cuts: cuts.toSorted((a, b) => a - b), ends }));
  });

const play = async (socket: Socket, { bytes, cuts, ends }: Script): Promise<void> => {
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    if (cut > at) socket.write(bytes.subarray(at, cut));
    at = Math.max(at, cut);
    await turn();
  }
  if (ends) socket.end();
};

const readWithNode = (url: URL): Promise<{ status: number; headers: object; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.setHeader('content-length', 1);
    outgoing.end('x');
  });

describe('answers of all kinds', () => {
  let script: Script;
  let context: Awaited<ReturnType<typeof setUp>>;

  beforeEach(async () => {
    context = await setUp((socket) => void play(socket, script));
  });
  afterEach(async () => {
    await context.pool.destroy();
    await context.server.close();
  });

  it('are read as node:http reads them, wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyScript, async (next) => {
        script = next;
        const expected = await readWithNode(context.url);
        const { status, headers, body } = await postText(context.pool, 'x').answer;
        expect({ status, headers, body: body.toString('hex') }).toEqual({
          ...expected,
          headers: { ...expected.headers },
          body: expected.body.toString('hex'),
        });
      }),
      { numRuns: 200 },
    );
  });

  it('are read byte by byte as well', async () => {
    const bytes = Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${answerOf('hello', 'a: b\r\n')}`);
    script = { bytes, cuts: [...bytes.keys()], ends: false };
    const { body, contentType } = await postText(context.pool, 'x').answer;
    expect([body.toString(), contentType]).toEqual(['hello', 'text/plain']);
  });

  it.each(['204 No Content', '304 Not Modified'])('have no body after %s', async (status) => {
    script = { bytes: Buffer.from(`HTTP/1.1 ${status}\r\n\r\n`), cuts: [], ends: false };
    const recorder = postText(context.pool, 'x');
    await recorder.answer;
    expect(recorder.events).toEqual(['start', 'head', 'end']);
    await postText(context.pool, 'x').answer;
    expect(context.server.sockets).toHaveLength(1);
  });

  it('may be larger than what is read at once', async () => {
    const large = 'abcdefgh'.repeat(200_000);
    script = { bytes: Buffer.from(answerOf(large, 'x-kept: until asked for\r\n')), cuts: [], ends: false };
    const { body, headers } = await postText(context.pool, 'x').answer;
    expect(body.equals(Buffer.from(large))).toBe(true);
    expect(headers['x-kept']).toBe('until asked for');
  });
});

describe('answers that are not HTTP', () => {
  it.each(MALFORMED_ANSWERS)('fail: %s', async (_what, bytes) => {
    const { server, pool } = await setUp((socket, _body, index) => {
      socket.write(index === 0 ? Buffer.from(bytes, 'latin1') : answerOf('fine'));
    });
    const recorder = postText(pool, 'x');
    await expect(recorder.answer).rejects.toMatchObject({ code: expect.stringMatching(/^HPE_/u) as string });
    expect(recorder.events.filter((event) => event === 'error' || event === 'end')).toEqual(['error']);
    const next = await postText(pool, 'y').answer;
    expect([next.body.toString(), server.sockets.length]).toEqual(['fine', 2]);
    await pool.destroy();
    await server.close();
  });
});
