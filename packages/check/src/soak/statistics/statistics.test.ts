import { describe, expect, test } from 'vitest';
import { seeded } from '@plugboard/testing/fault-proxy';
import { mannKendall, theilSen, type Point } from './theil-sen.js';

/** Normal by the sum of twelve uniform numbers. */
const noise = (random: () => number): number =>
  Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);

describe('Theil–Sen', () => {
  test('finds the slope of a line, and is not moved by outliers', () => {
    const points = Array.from({ length: 21 }, (_, x): Point => [x, x === 7 ? 1_000 : 3 * x + 1]);
    expect(theilSen(points)?.slope).toBe(3);
    expect(theilSen(points.slice(0, 2))).toBeUndefined();
    expect(
      theilSen([
        [1, 1],
        [1, 2],
        [1, 3],
      ]),
    ).toBeUndefined();
  });

  test('has an interval that holds the true slope 95 times of 100', () => {
    const random = seeded(11);
    const held = Array.from({ length: 300 }, () => {
      const slope = theilSen(Array.from({ length: 30 }, (_, x): Point => [x, 0.5 * x + 4 * noise(random)]));
      return slope !== undefined && slope.low <= 0.5 && slope.high >= 0.5;
    }).filter(Boolean).length;
    expect(held / 300).toBeGreaterThan(0.92);
    expect(held / 300).toBeLessThan(0.985);
  });
});

describe('Mann–Kendall', () => {
  test('agrees with a worked example', () => {
    // Four of 28 pairs fall, so S = 20; the variance without ties is 8 · 7 · 21 / 18.
    const { z, p } = mannKendall([1, 2, 4, 3, 5, 7, 6, 5.5]);
    expect(z).toBeCloseTo(19 / Math.sqrt((8 * 7 * 21) / 18), 10);
    expect(p).toBeCloseTo(0.0187, 3);
    expect(mannKendall([5, 5, 5, 5]).p).toBeCloseTo(1, 6);
  });

  test('cries wolf as rarely as its p says', () => {
    const random = seeded(5);
    const runs = 500;
    const false05 = Array.from(
      { length: runs },
      () => mannKendall(Array.from({ length: 40 }, () => noise(random))).p,
    ).filter((p) => p < 0.05).length;
    expect(false05 / runs).toBeGreaterThan(0.025);
    expect(false05 / runs).toBeLessThan(0.08);
  });
});
