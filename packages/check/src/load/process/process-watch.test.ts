import { describe, expect, test } from 'vitest';
import { figuresOf } from './process-watch.js';

const sample = (at: number, rssBytes: number, cpu = 50) => ({
  at,
  cpu,
  rssBytes,
  handles: 10,
  children: 1,
  threads: 4,
});

describe('what samples come to', () => {
  test('is the growth of the steady part, when that lasted long enough', () => {
    const samples = Array.from({ length: 80 }, (_, index) => sample(index * 500, 100 + index));
    const figures = figuresOf(samples, { from: 0, to: Number.POSITIVE_INFINITY });
    expect(figures.memoryGrowth).toBeCloseTo(55, 0);
    expect(figures).toMatchObject({ cpuMean: 50, handlesMax: 10, childrenMax: 1, rssFirst: 100, rssLast: 179 });
    expect(figuresOf(samples, { from: 0, to: 10_000 }).memoryGrowth).toBeUndefined();
  });

  test('leaves out the warm-up', () => {
    const samples = [sample(0, 1, 100), ...Array.from({ length: 10 }, (_, index) => sample(1_000 + index, 200, 10))];
    expect(figuresOf(samples, { from: 1_000, to: 9_000 })).toMatchObject({ cpuMax: 10, rssFirst: 200 });
    expect(figuresOf(samples, undefined).cpuMax).toBe(100);
  });
});
