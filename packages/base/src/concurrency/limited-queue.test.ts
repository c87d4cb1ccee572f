import { expect, it } from 'vitest';
import { LimitedQueue } from './limited-queue.js';

it('never runs more at a time than it may, everything in the end, and in order', async () => {
  const queue = new LimitedQueue(2);
  const begun: number[] = [];
  let [running, most] = [0, 0];
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, (_, index) =>
      queue.run(async () => {
        begun.push(index);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (index % 3 === 0) throw new Error('no');
        return index;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(6);
  expect(await queue.run(async () => 'free again')).toBe('free again');
});
