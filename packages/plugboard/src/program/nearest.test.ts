import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from './nearest.js';

describe('the nearest word', () => {
  it.each([
    ['lst', ['list', 'show'], 'list'],
    ['FILES', ['files'], 'files'],
    ['flies', ['files', 'web'], 'files'],
    ['weather', ['files'], undefined],
    ['x', [], undefined],
  ])('to %s among %j is %s', (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });

  it('measures a distance: zero only for equal words, the same both ways, never more than the longer word', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (left, right) => {
        const distance = editDistance(left, right);
        expect(distance === 0).toBe(left === right);
        expect(distance).toBe(editDistance(right, left));
        expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length));
      }),
    );
  });
});
