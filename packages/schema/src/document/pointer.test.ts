import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendPointer, lookUp, parsePointer } from './pointer.js';

describe('pointers', () => {
  it('escape and unescape every token', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        expect(parsePointer(appendPointer('', ...tokens))).toEqual(tokens);
      }),
    );
  });

  it('lead into objects and lists, and never to what is inherited', () => {
    const value = { 'a/b': [{ '': 1 }] };
    expect(lookUp(value, '/a~1b/0/')).toBe(1);
    expect(lookUp(value, '')).toBe(value);
    expect(lookUp(value, '/a~1b/1')).toBeUndefined();
    expect(lookUp(value, '/toString')).toBeUndefined();
    expect(lookUp(value, 'no pointer')).toBeUndefined();
  });
});
