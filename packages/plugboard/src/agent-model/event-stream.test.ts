import type { ServedEvent } from '@plugboard/agent';
import { PlugboardError } from '@plugboard/contract';
import { expect, test } from 'vitest';
import { eventStream } from './event-stream.js';

const never = new AbortController().signal;

test('events are written, and the end releases what was used, once', async () => {
  let closed = 0;
  const events = async function* (): AsyncGenerator<ServedEvent> {
    yield { data: { a: 1 } };
    yield { data: '[DONE]' };
  };
  const answer = eventStream(events(), { api: 'chat', signal: never, close: () => void (closed += 1) });
  expect(await answer.text()).toBe('data: {"a":1}\n\ndata: [DONE]\n\n');
  expect(closed).toBe(1);
});

test.each([
  ['chat', 'data: {"error":{"message":"Too busy.","type":"server_error","code":"MODEL_UNAVAILABLE","param":null}}\n\n'],
  [
    'responses',
    'event: error\ndata: {"type":"error","code":"MODEL_UNAVAILABLE","message":"Too busy.","param":null,"sequence_number":0}\n\n',
  ],
] as const)('a failure of %s is told in the stream', async (api, text) => {
  const events = async function* (): AsyncGenerator<ServedEvent> {
    yield* [];
    throw new PlugboardError('MODEL_UNAVAILABLE', 'Too busy.');
  };
  expect(await eventStream(events(), { api, signal: never, close: () => undefined }).text()).toBe(text);
});

test('comments keep a silent stream alive, and who leaves ends the run', async () => {
  let ended = false;
  let closed = false;
  const events = async function* (): AsyncGenerator<ServedEvent> {
    try {
      yield { data: 'first' };
      await new Promise((resolve) => setTimeout(resolve, 30));
      yield { data: 'second' };
    } finally {
      ended = true;
    }
  };
  const answer = eventStream(events(), { api: 'chat', signal: never, keepAliveMs: 1, close: () => (closed = true) });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const seen: string[] = [];
  while (!seen.some((text) => text.startsWith(':'))) {
    seen.push(Buffer.from((await reader.read()).value ?? []).toString());
  }
  await reader.cancel();
  expect(seen).toContain(': keep-alive\n\n');
  expect([ended, closed]).toEqual([true, true]);
});
