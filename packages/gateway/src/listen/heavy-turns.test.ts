import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HeavyTurns } from './heavy-turns.js';

it('does one piece in a turn of the event loop, and takes turns between callers', async () => {
  const turns = new HeavyTurns();
  const done: string[] = [];
  for (const name of ['a1', 'a2', 'a3', 'b1']) turns.take(name.charAt(0), () => done.push(name));
  expect(done).toEqual([]);
  await turn();
  const first = [...done];
  while (done.length < 4) await turn();
  expect([first, done]).toEqual([['a1'], ['a1', 'b1', 'a2', 'a3']]);
  turns.take('a', () => done.push('a4'));
  await turn();
  expect(done.at(-1)).toBe('a4');
});
