import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HttpRequestReader } from './http-request-reader.js';

interface Sent {
  readonly path: string;
  readonly body: string;
  readonly chunked: boolean;
}

const chunks = (body: Buffer, size: number): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};

const encode = ({ path, body, chunked }: Sent, chunkSize: number): Buffer => {
  const bytes = Buffer.from(body);
  const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`;
  const head = Buffer.from(`POST /${path} HTTP/1.1\r\nHost: x\r\nX-Colon: a:b\r\n${framing}\r\n\r\n`);
  return Buffer.concat([head, chunked ? chunks(bytes, chunkSize) : bytes]);
};

test('requests are the same however their bytes are cut', () => {
  const sent = fc.record({
    path: fc.stringMatching(/^[a-z]{0,8}$/),
    body: fc.string({ unit: 'grapheme', maxLength: 40 }),
    chunked: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(sent, { maxLength: 4 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 9 }),
      (all, size, chunk) => {
        const bytes = Buffer.concat(all.map((one) => encode(one, chunk)));
        const reader = new HttpRequestReader(3);
        const read = [];
        for (let at = 0; at < bytes.length; at += size) read.push(...reader.take(bytes.subarray(at, at + size)));
        expect(read.map(({ path, body }) => ({ path, body }))).toEqual(
          all.map(({ path, body }) => ({ path: `/${path}`, body })),
        );
        for (const request of read) {
          expect(request).toMatchObject({ method: 'POST', socket: 3, headers: { 'x-colon': 'a:b' } });
        }
      },
    ),
  );
});
