import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { AnswerBody, HttpAnswer } from './http-channel.js';
import { readText } from './read-body.js';

const answerWith = (body: Readable): HttpAnswer => ({ status: 200, headers: {}, body: body as AnswerBody });
const reading = { signal: new AbortController().signal, host: 'server.test' };

const settled = () => new Promise((next) => setTimeout(next, 5));

describe('readText', () => {
  it('reads a body to its end', async () => {
    expect(await readText(answerWith(Readable.from([Buffer.from('a'), Buffer.from('b')])), reading)).toBe('ab');
  });

  it('fails for a body that broke before anybody read it', async () => {
    const body = new Readable({ read: () => undefined }).on('error', () => undefined);
    body.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    await settled();
    await expect(readText(answerWith(body), reading)).rejects.toMatchObject({ delivery: 'ambiguous' });
  });

  it('fails for a body that was closed before anybody read it', async () => {
    const body = new Readable({ read: () => undefined }).destroy();
    await settled();
    await expect(readText(answerWith(body), reading)).rejects.toMatchObject({ delivery: 'ambiguous' });
  });
});
