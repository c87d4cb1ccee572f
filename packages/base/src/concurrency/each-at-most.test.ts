import { expect, it } from 'vitest';
import { eachAtMost } from './each-at-most.js';

it('keeps the order of the entries and the limit', async () => {
  let [running, most] = [0, 0];
  const results = await eachAtMost(3, [5, 1, 4, 2, 3], async (entry, index) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < entry; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return [entry, index];
  });
  expect(results).toEqual([
    [5, 0],
    [1, 1],
    [4, 2],
    [2, 3],
    [3, 4],
  ]);
  expect(most).toBe(3);
});

it('does nothing for nothing, and fails with the first failure', async () => {
  expect(await eachAtMost(3, [], async () => 1)).toEqual([]);
  await expect(eachAtMost(1, [1, 2], async (entry) => Promise.reject(new Error(`${entry}`)))).rejects.toThrow('1');
});
