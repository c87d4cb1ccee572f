import { describe, expect, test } from 'vitest';
import { benchmark, benchmarkResult, quantile } from './benchmark.js';
import { measure } from './measure.js';

describe('a benchmark', () => {
  test('has the figures of known numbers', () => {
    const result = benchmarkResult([4, 2, 8, 6]);
    expect(result).toMatchObject({ count: 4, mean: 5, median: 5, min: 2, max: 8 });
    expect(result.sd).toBeCloseTo(2.582, 3);
    expect(quantile([0, 10], 0.25)).toBe(2.5);
    expect(benchmarkResult([3])).toMatchObject({ sd: 0, p99: 3 });
  });

  test('runs the block after a warm-up that does not count', async () => {
    let runs = 0;
    const { count } = await benchmark(() => (runs += 1), { times: 5, warmUp: 2 });
    expect([count, runs]).toEqual([5, 7]);
  });

  test('measures one block', async () => {
    const { value, ms, cpuMs } = await measure(async () => 'done');
    expect(value).toBe('done');
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(cpuMs).toBeGreaterThanOrEqual(0);
  });
});
