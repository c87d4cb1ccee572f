import { Readable } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import type { HttpAnswer } from './http-channel.js';
import { readEvents } from './read-events.js';

let ticking: NodeJS.Immediate | undefined;
afterEach(() => clearImmediate(ticking));

it('lets others have their turn between the pieces of a long stream', async () => {
  const chunks = Array.from({ length: 6 }, () => Buffer.from(':\n'.repeat(32_768)));
  const body = Readable.from([...chunks, Buffer.from('data: {}\n\n')], { objectMode: true, highWaterMark: 10 });
  let turn = 0;
  const tick = (): void => {
    turn += 1;
    ticking = setImmediate(tick);
  };
  tick();
  const turns: number[] = [];
  const events: string[] = [];
  await readEvents({ status: 200, headers: {}, body } as unknown as HttpAnswer, {
    signal: new AbortController().signal,
    host: 'server.test',
    onActivity: () => turns.push(turn),
    onEvent: ({ data }) => events.push(data),
  });
  expect(events).toEqual(['{}']);
  expect(new Set(turns).size).toBe(chunks.length + 1);
});

it('waits a minute at most before a stream is opened again', async () => {
  const body = Readable.from([Buffer.from('retry: 9999999999\nretry: 70\n\n')]);
  const pauses: number[] = [];
  await readEvents({ status: 200, headers: {}, body } as unknown as HttpAnswer, {
    signal: new AbortController().signal,
    host: 'server.test',
    onRetry: (ms) => pauses.push(ms),
    onEvent: () => undefined,
  });
  expect(pauses).toEqual([60_000, 70]);
});
