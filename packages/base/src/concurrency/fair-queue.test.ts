import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.js';

const drain = <T>(queue: { take(): T | undefined }): T[] => {
  const taken: T[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
};

describe('the fair queue', () => {
  it('takes turns between lanes', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.slice(0, 1), item);
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('forgets what left', () => {
    const queue = createFairQueue<string>();
    const leave = queue.add('a', 'a1');
    queue.add('a', 'a2');
    leave();
    leave();
    expect(queue.size()).toBe(1);
    expect(drain(queue)).toEqual(['a2']);
    expect(queue.size()).toBe(0);
  });

  it('loses nothing, keeps the order inside a lane, and lets no lane wait for two turns of another', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }), (lanes) => {
        const queue = createFairQueue<{ lane: string; index: number }>();
        lanes.forEach((lane, index) => queue.add(lane, { lane, index }));
        const taken = drain(queue);
        expect(taken).toHaveLength(lanes.length);
        for (const lane of new Set(lanes)) {
          const own = taken.filter((item) => item.lane === lane).map((item) => item.index);
          expect(own).toEqual(own.toSorted((one, other) => one - other));
        }
        // Whoever is served again while another lane waits has let that lane go first.
        taken.forEach((item, position) => {
          const again = taken.findIndex((other, later) => later > position && other.lane === item.lane);
          if (again === -1) return;
          const between = new Set(taken.slice(position + 1, again).map((other) => other.lane));
          const waiting = taken.slice(again + 1).map((other) => other.lane);
          const skipped = waiting.filter((lane) => lane !== item.lane && !between.has(lane));
          expect(skipped).toEqual([]);
        });
      }),
    );
  });
});
