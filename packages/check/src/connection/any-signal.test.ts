import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { anySignal } from './any-signal.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('aborts with the first of its sources', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const signal = anySignal(first.signal, undefined, second.signal);
  second.abort('second');
  // Node 24.21 decides which was the first when somebody looks or listens.
  expect(signal.reason).toBe('second');
  first.abort('first');
  expect(signal.reason).toBe('second');
  expect(anySignal().aborted).toBe(false);
});

it.each([
  ['a deadline', (stop: AbortSignal) => anySignal(stop, AbortSignal.timeout(100))],
  ['a deadline within another', (stop: AbortSignal) => anySignal(stop, anySignal(stop, AbortSignal.timeout(100)))],
])('keeps %s that nobody else holds', async (_name, make) => {
  const { signal: stop } = new AbortController();
  const aborted = new Promise((resolve) => make(stop).addEventListener('abort', () => resolve('aborted')));
  await sleep(10);
  collectGarbage();
  await sleep(10);
  collectGarbage();
  expect(await Promise.race([aborted, sleep(5_000, 'lost')])).toBe('aborted');
});
