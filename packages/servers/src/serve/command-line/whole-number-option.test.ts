import { expect, it } from 'vitest';
import { UsageError } from './usage-error.js';
import { wholeNumberOption } from './whole-number-option.js';

const range = { min: 1, max: 64, fallback: 4 };

it.each([
  [undefined, 4],
  ['1', 1],
  ['64', 64],
  ['007', 7],
])('takes %s as %i', (text, number) => {
  expect(wholeNumberOption({ n: text }, 'n', range)).toBe(number);
});

it.each(['0', '65', '-1', '1.5', '1e1', '', 'many', true, '9999999999'])('refuses %s', (text) => {
  expect(() => wholeNumberOption({ n: text }, 'n', range)).toThrow(UsageError);
});
