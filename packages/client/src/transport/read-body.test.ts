import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { AnswerBody, HttpAnswer } from './http-channel.js';
import { readAnswer } from './read-answer.js';
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

/** A body that comes byte by byte. */
const trickled = (text: string) => {
  const body = Object.assign(new EventEmitter(), { destroyed: false });
  const answer: HttpAnswer = { status: 200, headers: {}, body: body as unknown as AnswerBody };
  const send = (): void => {
    for (const byte of Buffer.from(text)) body.emit('data', Buffer.from([byte]));
    body.emit('end');
  };
  return { answer, send };
};

describe('a body of a million chunks of one byte', () => {
  it.each([
    ['text', async (answer: HttpAnswer) => (await readText(answer, reading)).trim()],
    ['an answer', async (answer: HttpAnswer) => (await readAnswer(answer, { ...reading, id: 1 })).messages.length],
  ])('is kept in blocks, not in a million objects: %s', async (_, read) => {
    const kept = vi.spyOn(Buffer, 'concat');
    const { answer, send } = trickled(`{"jsonrpc":"2.0","id":1,"result":{}}${' '.repeat(1_000_000)}`);
    const reads = read(answer);
    send();
    expect(await reads).toBeTruthy();
    const largest = Math.max(...kept.mock.calls.map(([parts]) => parts.length));
    kept.mockRestore();
    expect(largest).toBeLessThan(100);
  });
});
