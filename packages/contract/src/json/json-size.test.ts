import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSize } from './json-size.js';

describe('jsonSize', () => {
  it('is about the length of the text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: true }), (value) => {
        const { length } = JSON.stringify(value);
        // Escapes and long numbers take more, small numbers less.
        expect(jsonSize(value)).toBeGreaterThanOrEqual(length / 8);
        expect(jsonSize(value)).toBeLessThanOrEqual(4 * length + 4);
      }),
    );
  });

  it('stops counting beyond the limit', () => {
    const many = Array.from({ length: 1000 }, () => ({
      get never(): never {
        throw new Error('this was looked at');
      },
    }));
    expect(jsonSize(many, 100)).toBeGreaterThan(100);
  });
});
