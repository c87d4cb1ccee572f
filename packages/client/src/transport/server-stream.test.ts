import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { HttpAnswer } from './http-channel.js';
import { followServerStream } from './server-stream.js';

const streamOf = (text: string): HttpAnswer =>
  ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: Readable.from([Buffer.from(text)]),
  }) as unknown as HttpAnswer;

it('waits between two streams as the server asks, within bounds', async () => {
  const asked = ['', 'retry: 0\n', 'retry: 250\n', 'retry: 9999999999\n'];
  const waits: number[] = [];
  await followServerStream({
    host: 'server.test',
    signal: new AbortController().signal,
    events: { onIncoming: () => undefined, onLost: () => undefined },
    open: async () => streamOf(`${asked[waits.length] ?? ''}id: 1\ndata:\n\n`),
    wait: async (ms) => waits.push(ms) < asked.length,
  });
  expect(waits).toEqual([1_000, 100, 250, 60_000]);
});
