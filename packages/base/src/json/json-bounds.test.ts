import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exceededJsonBound } from './json-bounds.js';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

it('finds the depth of any value, whatever its strings hold', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(8), (value, depth) => {
      expect(exceededJsonBound(JSON.stringify(value), { depth }) === 'depth').toBe(depthOf(value) > depth);
    }),
  );
});

it('counts values, empty lists and objects as more than one', () => {
  expect(exceededJsonBound('[1,2,3]', { depth: 9, values: 4 })).toBeUndefined();
  expect(exceededJsonBound('[1,2,3]', { depth: 9, values: 3 })).toBe('values');
});

it('passes over short texts when told so, and over what cannot be parsed anyway', () => {
  expect(exceededJsonBound('[[[]]]', { depth: 1, uncheckedChars: 6 })).toBeUndefined();
  expect(exceededJsonBound('[[[]]] ', { depth: 1, uncheckedChars: 6 })).toBe('depth');
  expect(exceededJsonBound('["[[[[', { depth: 1 })).toBeUndefined();
  expect(exceededJsonBound(String.raw`["\"[[[["]`, { depth: 1 })).toBeUndefined();
});
