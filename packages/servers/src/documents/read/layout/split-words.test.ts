import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitWords } from './split-words.js';

it('loses no letter, and sets words from left to right inside of their run', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 500 }), (text, width) => {
      const pieces = splitWords({ text, x: 10, y: 0, width, size: 10 });
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      const starts = pieces.map(({ x }) => x);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      for (const { x } of pieces) expect(x).toBeGreaterThanOrEqual(10);
    }),
  );
});
