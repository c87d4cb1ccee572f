import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance } from './edit-distance.js';

it.each([
  ['', '', 0],
  ['list', 'lst', 1],
  ['flies', 'files', 1],
  ['kitten', 'sitting', 3],
  ['', 'abc', 3],
])('from "%s" to "%s" is %i', (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
});

it('is zero only for equal words, the same both ways, never more than the longer word', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (left, right) => {
      const distance = editDistance(left, right);
      expect(distance === 0).toBe(left === right);
      expect(distance).toBe(editDistance(right, left));
      expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length));
    }),
  );
});
