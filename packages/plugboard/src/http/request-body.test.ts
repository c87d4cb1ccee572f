import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES, readBody } from './request-body.js';

const requestOf = (chunks: readonly Buffer[], headers: Record<string, string> = {}): IncomingMessage =>
  Object.assign(Readable.from(chunks), { headers }) as IncomingMessage;

describe('readBody', () => {
  it('joins characters that were split between chunks', async () => {
    const bytes = Buffer.from('{"a":"€ünï"}');
    const chunks = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect(await readBody(requestOf(chunks))).toBe('{"a":"€ünï"}');
  });

  it('refuses what is declared too large before reading any of it', async () => {
    const request = requestOf([Buffer.from('x')], { 'content-length': String(MAX_BODY_BYTES + 1) });
    await expect(readBody(request)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', httpStatus: 413 });
  });

  it('refuses what turns out too large, in the middle', async () => {
    let sent = 0;
    const endless = async function* (): AsyncGenerator<Buffer> {
      for (;;) {
        sent += 1;
        yield Buffer.alloc(1024 * 1024);
      }
    };
    const request = Object.assign(Readable.from(endless()), { headers: {} }) as IncomingMessage;
    await expect(readBody(request)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(sent).toBeLessThan(40);
  });

  it('refuses what is no UTF-8', async () => {
    await expect(readBody(requestOf([Buffer.from([0x7b, 0xff, 0x7d])]))).rejects.toMatchObject({
      code: 'INVALID_JSON',
    });
  });
});
