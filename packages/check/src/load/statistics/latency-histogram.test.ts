import { describe, expect, test } from 'vitest';
import { LatencyHistogram } from './latency-histogram.js';

/** A generator of numbers between 0 and 1 that repeats itself. */
const numbers = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return (seed + 0.5) / 2 ** 32;
};

const filled = (count: number, draw: () => number): LatencyHistogram => {
  const histogram = new LatencyHistogram();
  for (let index = 0; index < count; index += 1) histogram.record(draw());
  return histogram;
};

const near = (value: number, expected: number, share: number): void => {
  expect(Math.abs(value - expected) / expected).toBeLessThan(share);
};

describe('a histogram of latencies', () => {
  test('knows a uniform distribution', () => {
    const random = numbers(1);
    const { mean, sd, p50, p90, p99, count } = filled(200_000, () => random() * 100).summary();
    expect(count).toBe(200_000);
    near(mean, 50, 0.01);
    near(sd, 100 / Math.sqrt(12), 0.01);
    near(p50, 50, 0.02);
    near(p90, 90, 0.02);
    near(p99, 99, 0.02);
  });

  test('knows an exponential distribution, its tail included', () => {
    const random = numbers(2);
    const { mean, sd, p50, p95, p99, p999 } = filled(400_000, () => -10 * Math.log(random())).summary();
    expect(p999).toBeGreaterThan(p99);
    near(mean, 10, 0.01);
    near(sd, 10, 0.02);
    near(p50, 10 * Math.log(2), 0.02);
    near(p95, 10 * Math.log(20), 0.02);
    near(p99, 10 * Math.log(100), 0.02);
    near(p999, 10 * Math.log(1_000), 0.05);
  });

  test('has a confidence interval that holds the mean 95 times of 100', () => {
    const random = numbers(3);
    const held = Array.from({ length: 400 }, () => filled(200, () => -10 * Math.log(random())).summary()).filter(
      ({ meanLow, meanHigh }) => meanLow <= 10 && 10 <= meanHigh,
    );
    expect(held.length / 400).toBeGreaterThan(0.9);
    expect(held.length / 400).toBeLessThan(0.99);
  });

  test('has no percentile above the longest duration', () => {
    const histogram = filled(30, () => 20);
    histogram.record(81.421);
    const { max, p99, p999 } = histogram.summary();
    expect(p99).toBe(max);
    expect(p999).toBe(max);
  });

  test('shows a stall that a closed loop hides', () => {
    // 999 calls of 1 ms, then the server stands still for a second: 1,000 calls that were due were never sent.
    const naive = filled(999, () => 1);
    naive.record(1_000);
    expect(naive.percentile(99)).toBeLessThan(1.01);
    near(naive.corrected(1).percentile(99), 980, 0.02);
    near(naive.corrected(1).percentile(50), 1, 0.5);
  });

  test('is empty without values, and takes any duration', () => {
    expect(new LatencyHistogram().summary()).toMatchObject({ count: 0, p99: 0 });
    expect(filled(1, () => 0).summary().max).toBeCloseTo(0.001);
    expect(filled(1, () => 1e12).summary().max).toBeGreaterThan(3_500_000);
  });
});
