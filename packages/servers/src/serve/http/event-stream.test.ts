import { expect, it } from 'vitest';
import { eventStream } from './event-stream.js';

it('keeps a stream alive with events, and lets go of it when its reader leaves', async () => {
  const closing = new AbortController();
  const reader = eventStream({ name: 'x' }, closing.signal, 5).body?.getReader();
  const next = async (): Promise<string> => Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(await next()).toBe('event: connected\ndata: {"name":"x"}\n\n');
  expect(await next()).toBe('event: keepalive\ndata: {}\n\n');
  await reader?.cancel();
  closing.abort();
  expect(await reader?.read()).toMatchObject({ done: true });
});
