import { expect, test } from 'vitest';
import { seeded } from '@plugboard/testing/fault-proxy';
import { mannWhitney } from './mann-whitney.js';
import { twoSided } from './normal-tail.js';

test('agrees with a worked example', () => {
  // U = 19 of 25, without ties.
  const { p, effect } = mannWhitney([1, 3, 5, 7, 9], [4, 6, 8, 10, 12]);
  expect(effect).toBe(19 / 25);
  expect(p).toBeCloseTo(twoSided((19 - 12.5 - 0.5) / Math.sqrt((25 * 11) / 12)), 10);
});

test('knows the tails of the normal distribution', () => {
  expect(twoSided(1.96)).toBeCloseTo(0.05, 3);
  expect(twoSided(-2.5758)).toBeCloseTo(0.01, 4);
  expect(twoSided(0)).toBeCloseTo(1, 6);
});

test('sees no difference where there is none, and a shift where there is one', () => {
  const random = seeded(3);
  const group = (shift: number): readonly number[] => Array.from({ length: 40 }, () => random() + shift);
  const chance = Array.from({ length: 300 }, () => mannWhitney(group(0), group(0)).p).filter((p) => p < 0.05).length;
  expect(chance / 300).toBeLessThan(0.09);
  expect(mannWhitney(group(0), group(0.5)).p).toBeLessThan(0.001);
  expect(mannWhitney([], [1])).toEqual({ p: 1, effect: 0.5 });
  expect(mannWhitney([2, 2], [2, 2]).p).toBeCloseTo(1, 6);
});
