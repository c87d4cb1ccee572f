import { expect, it } from 'vitest';
import { sparkPath } from './sparkline.js';

it('draws a line from left to right, the highest value on top', () => {
  expect(sparkPath([0, 5, 10], 20, 12)).toBe('M0.0 11.0 L10.0 6.0 L20.0 1.0');
});

it('draws nothing but zeros at the bottom', () => {
  expect(sparkPath([0, 0], 10, 10)).toBe('M0.0 9.0 L10.0 9.0');
});
