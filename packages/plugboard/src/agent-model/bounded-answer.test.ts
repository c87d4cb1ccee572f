import { describe, expect, it } from 'vitest';
import { boundedAnswer } from './bounded-answer.js';

/** Repeats a text, at most so often, in chunks of their own. */
const answerOf = (texts: readonly string[], { times = 1, type = 'text/event-stream' } = {}) => {
  const seen = { sent: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (seen.sent >= times * texts.length) return controller.close();
        controller.enqueue(new TextEncoder().encode(texts[seen.sent % texts.length]));
        seen.sent += 1;
      },
      cancel: () => void (seen.isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { seen, answer: new Response(body, { status: 200, headers: { 'content-type': type } }) };
};

const origin = { provider: 'llm.example', isEventStream: false };
const failed = (text: string) =>
  expect.objectContaining({ code: 'MODEL_FAILED', retryable: false, message: expect.stringContaining(text) as string });

describe('an answer of a provider', () => {
  it('without an end is cut off, and no longer read', async () => {
    const { seen, answer } = answerOf([`data: ${'x'.repeat(60_000)}\n\n`], { times: 5000 });
    await expect(boundedAnswer(answer, origin).text()).rejects.toEqual(failed('larger than 33554432 bytes'));
    expect(seen.isCancelled).toBe(true);
    expect(seen.sent).toBeLessThan(600);
  });

  it.each(['y', 'data: y\n', 'data: y\r\n'])('with an event without an end is cut off (%j)', async (part) => {
    const { seen, answer } = answerOf(['data: ', part.repeat(8192)], { times: 5000 });
    await expect(boundedAnswer(answer, origin).text()).rejects.toEqual(failed('larger than 1048576 bytes'));
    expect(seen.isCancelled).toBe(true);
  });

  it('is a stream when one was asked for, whatever its type is', async () => {
    const long = () => answerOf(['y'.repeat(100)], { type: 'application/json' }).answer;
    expect(await boundedAnswer(long(), origin, { maxEventBytes: 99 }).text()).toHaveLength(100);
    const asked = { ...origin, isEventStream: true };
    await expect(boundedAnswer(long(), asked, { maxEventBytes: 99 }).text()).rejects.toThrow('larger than 99');
  });

  it.each(['\n\n', '\r\r', '\r\n\r\n'])('is passed on event by event, unchanged (%j)', async (end) => {
    const first = `event: a${end.slice(0, end.length / 2)}data: 1${end}`;
    const { answer } = answerOf([...first.split(''), `data: 2${end}data: 3${end}data`, ': 4']);
    const bounded = boundedAnswer(answer, origin, { maxEventBytes: 30 });
    expect([bounded.status, bounded.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const chunks: string[] = [];
    for await (const chunk of bounded.body ?? []) chunks.push(Buffer.from(chunk).toString());
    expect(chunks.join('')).toBe(`${first}data: 2${end}data: 3${end}data: 4`);
    expect(chunks).toHaveLength(3);
  });

  it('may have no body', () => {
    const empty = new Response(null, { status: 204 });
    expect(boundedAnswer(empty, origin)).toBe(empty);
  });
});
