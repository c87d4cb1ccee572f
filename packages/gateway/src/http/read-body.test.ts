import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readBody } from './read-body.js';

const MIB = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** A request whose body arrives in pieces. */
const requestOf = (body: Buffer, declaredBytes: number | undefined, sent = body.length): IncomingMessage => {
  const headers = declaredBytes === undefined ? {} : { 'content-length': String(declaredBytes) };
  const request = Object.assign(new PassThrough(), { headers });
  for (let at = 0; at < sent; at += PIECE_BYTES) request.write(body.subarray(at, Math.min(sent, at + PIECE_BYTES)));
  if (sent === body.length) request.end();
  else request.destroy();
  return request as unknown as IncomingMessage;
};

/** Every part of it is another than the one before. */
const numbered = (bytes: number): Buffer => {
  const body = Buffer.alloc(bytes, ' ');
  for (let at = 0; at + 8 <= bytes; at += 1000) body.write(String(at).padStart(8), at, 'latin1');
  return body;
};

describe('reading a body', () => {
  for (const bytes of [0, 10, PIECE_BYTES, 130 * 1024, MIB + 1, 3 * MIB]) {
    it.each([
      ['with a declared length', bytes],
      ['without one', undefined],
    ])(`gives all ${bytes} bytes in their order, %s`, async (_, declared) => {
      const body = numbered(bytes);
      expect((await readBody(requestOf(body, declared))) === body.toString()).toBe(true);
    });
  }

  it('refuses a body that ends before its declared length', async () => {
    const request = requestOf(numbered(2 * MIB), 2 * MIB, MIB);
    await expect(readBody(request)).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('refuses a body that is larger than the limit, declared or not', async () => {
    const limits = { maxBytes: MIB, deadlineMs: 30_000 };
    const refused = { code: 'PAYLOAD_TOO_LARGE' };
    await expect(readBody(requestOf(numbered(MIB + 1), MIB + 1), limits)).rejects.toMatchObject(refused);
    await expect(readBody(requestOf(numbered(MIB + 1), undefined), limits)).rejects.toMatchObject(refused);
  });
});
