import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HttpResponseReader, type ResponseHead } from './http-response-reader.js';

interface Seen {
  readonly heads: ResponseHead[];
  body: string;
  ends: number;
  surplus: string;
  idleTimeouts: number;
  malformed: string[];
}

const reading = () => {
  const seen: Seen = { heads: [], body: '', ends: 0, surplus: '', idleTimeouts: 0, malformed: [] };
  const reader = new HttpResponseReader({
    onHead: (head) => seen.heads.push(head),
    onBody: (chunk) => (seen.body += chunk.toString()),
    onEnd: () => (seen.ends += 1),
    onSurplus: (chunk) => (seen.surplus += chunk.toString()),
    onIdleTimeout: () => (seen.idleTimeouts += 1),
    onMalformed: (why) => seen.malformed.push(why),
  });
  return { seen, reader };
};

const read = (...chunks: readonly string[]): Seen => {
  const { seen, reader } = reading();
  reader.expect();
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return seen;
};

const COUNTED = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nTransfer-Encoding: chunked\r\nMcp-Session-Id: AbC\r\n\r\n3\r\nhel\r\n2;x=1\r\nlo\r\n0\r\nTrailer: 1\r\n\r\n';

describe('answers of HTTP/1.1', () => {
  test.each([
    ['with a length', COUNTED, { status: 200, isStream: false, closes: false, sessionId: undefined }],
    ['in chunks', CHUNKED, { status: 200, isStream: true, closes: false, sessionId: 'AbC' }],
    ['after an interim one', `HTTP/1.1 100 Continue\r\n\r\n${COUNTED}`, { status: 200 }],
  ])('%s are read, however they are cut', (_name, text, head) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 8 }), (cuts) => {
        const places = [0, ...new Set(cuts), text.length].toSorted((one, two) => one - two);
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
        const seen = read(...pieces);
        expect(seen).toMatchObject({ body: 'hello', ends: 1, surplus: '', malformed: [] });
        expect(seen.heads).toMatchObject([head]);
      }),
    );
  });

  test('that have no body end with their head', () => {
    expect(read('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n').ends).toBe(1);
    expect(read('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')).toMatchObject({
      ends: 1,
      heads: [{ closes: true }],
    });
  });

  test('without a length last until the connection ends', () => {
    const { seen, reader } = reading();
    reader.expect();
    reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\nhello'));
    expect(seen.ends).toBe(0);
    expect(reader.end()).toBe(true);
    expect(seen).toMatchObject({ body: 'hello', ends: 1 });
  });

  test('that nobody asked for are surplus', () => {
    expect(read(`${COUNTED}${COUNTED}`)).toMatchObject({ body: 'hello', ends: 1, surplus: COUNTED });
  });

  test('that close an idle connection are not', () => {
    const timeout = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';
    expect(read(COUNTED, timeout)).toMatchObject({ ends: 1, surplus: '', idleTimeouts: 1 });
    // One that answers a request is an answer.
    expect(read(timeout)).toMatchObject({ heads: [{ status: 408 }], idleTimeouts: 0 });
  });

  test.each([['no HTTP at all\r\n\r\n'], ['HTTP/1.1 abc\r\n\r\n'], ['x'.repeat(70_000)]])(
    'that are none are told',
    (text) => {
      expect(read(text)).toMatchObject({ ends: 0, malformed: [expect.any(String)] });
    },
  );

  test('with a chunk that has no size are told', () => {
    expect(read('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n').malformed).toHaveLength(1);
  });

  test('of any bytes never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), (chunks) => {
        const { reader } = reading();
        reader.expect();
        const push = (): void => {
          for (const chunk of chunks) reader.push(Buffer.from(chunk));
          reader.end();
        };
        expect(push).not.toThrow();
      }),
    );
  });
});
