import { expect, test } from 'vitest';
import { SseParser } from '../../connection/sse-parser.js';
import { StreamWatch } from './stream-watch.js';

const HEAD = { status: 200, isStream: true, closes: false, sessionId: undefined };

test('messages and keep-alives are counted, and the longest silence is measured', async () => {
  let now = 0;
  const watch = new StreamWatch(() => now);
  const { onHead, onChunk, onEvent } = watch.hooks;
  const parser = new SseParser();
  const receive = (text: string): void => {
    onChunk();
    for (const event of parser.push(Buffer.from(text))) onEvent(event);
  };
  onHead(HEAD);
  now = 3_000;
  receive(': ping\n\n');
  now = 4_000;
  receive('id: a_1\ndata: {"method":"notifications/message"}\n\n');
  now = 4_500;
  receive('id: a_2\ndata:\n\n');
  now = 6_000;
  expect([watch.events, watch.keepAlives, watch.lastEventId, watch.longestGapMs()]).toEqual([1, 2, 'a_2', 3_000]);
  now = 9_000;
  expect(watch.longestGapMs()).toBe(4_500);
  watch.end();
  now = 60_000;
  expect(watch.longestGapMs()).toBe(4_500);
  expect(await watch.opened).toBe(HEAD);
});

test('a stream that never began has no head, and no gap', async () => {
  const watch = new StreamWatch();
  watch.end();
  expect([await watch.opened, watch.longestGapMs()]).toEqual([undefined, 0]);
});
