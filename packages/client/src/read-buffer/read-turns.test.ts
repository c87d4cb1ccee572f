import { expect, it } from 'vitest';
import { ReadTurns } from './read-turns.js';

const KIB = 1024;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('lets readers go on until the part of the turn is used up, and again in the next turn', async () => {
  const turns = new ReadTurns();
  expect([turns.spend(200 * KIB), turns.spend(56 * KIB), turns.spend(1)]).toEqual([false, true, true]);
  await nextTurn();
  expect(turns.spend(200 * KIB)).toBe(false);
});

it('lets one of those who wait go on in each turn, in their order', async () => {
  const turns = new ReadTurns();
  const went: string[] = [];
  for (const name of ['a', 'b', 'c']) turns.wait(() => went.push(name));
  expect(went).toEqual([]);
  await nextTurn();
  expect(went).toEqual(['a']);
  turns.wait(() => went.push('d'));
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(went).toEqual(['a', 'b', 'c', 'd']);
});
