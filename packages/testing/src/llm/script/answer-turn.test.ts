import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ScriptedLlm } from '../scripted-llm.js';
import { arrivalOf } from '../test-support/arrival-of.js';
import type { Reply } from '../wire/reply.js';
import type { StreamPiece } from '../wire/stream-piece.js';
import { inChunks } from './answer-turn.js';
import type { Turn } from './turn.js';

const reply = (turn: Turn, stream: boolean): Promise<Reply> => {
  const llm = new ScriptedLlm();
  llm.script.next(turn);
  const body = { model: 'claude-double', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], stream };
  return llm.answer(arrivalOf('/v1/messages', body));
};

const piecesOf = async (turn: Turn): Promise<readonly StreamPiece[]> => {
  const answer = await reply(turn, true);
  if (typeof answer === 'string' || !('pieces' in answer)) throw new Error('The reply is no stream.');
  return answer.pieces;
};

const text = 'a long text';

describe('a fault', () => {
  test('ends a stream after so many events', async () => {
    const all = await piecesOf({ text });
    expect(await piecesOf({ text, fault: { cutAfter: 3 } })).toEqual([...all.slice(0, 3), 'cut']);
    const problem = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    expect(await piecesOf({ text, fault: { errorAfter: 2 } })).toEqual([
      ...all.slice(0, 2),
      { event: 'error', data: problem },
    ]);
  });

  test('puts something between events that is no JSON, under the name of the next event', async () => {
    const all = await piecesOf({ text });
    expect(await piecesOf({ text, fault: { malformedAfter: 3 } })).toEqual([
      ...all.slice(0, 3),
      { event: 'content_block_delta', data: '{"oops": ' },
      ...all.slice(3),
    ]);
    expect((await piecesOf({ text, fault: { malformedAfter: 99 } })).at(-1)).toEqual({ data: '{"oops": ' });
  });

  test('waits before each event', async () => {
    const all = await piecesOf({ text });
    const slow = await piecesOf({ text, fault: { everyMs: 5 } });
    expect(slow).toEqual(all.flatMap((piece) => [{ waitMs: 5 }, piece]));
  });

  test('without a stream: a cut is at once, and the other faults of streams are none', async () => {
    expect(await reply({ text, fault: { cutAfter: 3 } }, false)).toBe('cut');
    expect(await reply({ text, fault: { errorAfter: 3 } }, false)).toMatchObject({ status: 200 });
  });

  test.each([true, false])('hangs, fails, or answers with any body (stream: %s)', async (stream) => {
    expect(await reply({ fault: 'hang' }, stream)).toBe('hang');
    expect(await reply({ fault: { body: '<html>' } }, stream)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '<html>',
    });
    expect(await reply({ fault: { body: '', contentType: 'text/html' } }, stream)).toMatchObject({
      headers: { 'content-type': 'text/html' },
    });
    expect(await reply({ fault: { status: 429, message: 'Slow.', headers: { 'retry-after': '7' } } }, stream)).toEqual({
      status: 429,
      headers: { 'content-type': 'application/json', 'request-id': 'req_double', 'retry-after': '7' },
      body: '{"type":"error","error":{"type":"rate_limit_error","message":"Slow."},"request_id":"req_double"}',
    });
  });
});

describe('tampering comes last', () => {
  test('with the JSON', async () => {
    const answer = await reply({ text, tamper: ({ content }) => ({ only: content }) }, false);
    expect(answer).toMatchObject({ body: JSON.stringify({ only: [{ type: 'text', text }] }) });
  });

  test('with the events, also after a fault', async () => {
    const fault = { cutAfter: 2 };
    const turned = await piecesOf({ text, fault, tamperStream: (pieces) => pieces.toReversed() });
    expect(turned).toEqual((await piecesOf({ text, fault })).toReversed());
  });
});

test('chunks have the size that was asked for, lose nothing, and cut no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (said, chunk) => {
      const chunks = inChunks(said, { chunk });
      expect(chunks.join('')).toBe(said);
      for (const [at, one] of chunks.entries()) {
        const { length } = Array.from(one);
        if (at < chunks.length - 1) expect(length).toBe(chunk);
        expect(length).toBeGreaterThan(0);
        expect(Buffer.from(one).toString()).toBe(one);
      }
    }),
  );
  expect(inChunks('123456789', {})).toEqual(['12345678', '9']);
});
