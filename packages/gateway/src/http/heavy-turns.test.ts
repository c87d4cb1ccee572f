import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
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

it('rests after a long piece, and not after a short one', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] });
  try {
    let clock = 0;
    const turns = new HeavyTurns(() => clock);
    const done: number[] = [];
    const piece = (ms: number) => (): void => {
      // What a piece adds rests as well.
      if (ms === 4) turns.take('a', piece(0.5));
      clock += ms;
      done.push(ms);
    };
    turns.take('a', piece(4));
    vi.advanceTimersByTime(7);
    expect(done).toEqual([4]);
    vi.advanceTimersByTime(1);
    expect(done).toEqual([4, 0.5]);
    turns.take('a', piece(0.25));
    vi.advanceTimersByTime(0);
    vi.advanceTimersByTime(0);
    expect(done).toEqual([4, 0.5, 0.25]);
  } finally {
    vi.useRealTimers();
  }
});

it('tells what a piece gives or throws, and goes on after it', async () => {
  const turns = new HeavyTurns();
  const failed = turns.run('a', () => {
    throw new Error('no');
  });
  const next = turns.run('a', () => 7);
  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe(7);
});
