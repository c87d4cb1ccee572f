import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readArguments } from './read-arguments.js';

test('every object comes through, as itself and as text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
      expect(readArguments(plain)).toEqual(plain);
      expect(readArguments(JSON.stringify(plain))).toEqual(plain);
    }),
  );
});

test('whatever was cut off, the result is an object or nothing', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const read = readArguments(text.slice(0, at % (text.length + 1)));
      expect(read === undefined || (typeof read === 'object' && !Array.isArray(read))).toBe(true);
    }),
  );
});

test.each([
  ['{"city": "Os', { city: 'Os' }],
  ['{"city": "Oslo"', { city: 'Oslo' }],
  ['{"at": {"city": "Os', { at: { city: 'Os' } }],
  ['{"cities": ["Os', { cities: ['Os'] }],
  ['', {}],
  [undefined, {}],
  ['[1]', undefined],
  [7, undefined],
  ['{"city": ', undefined],
])('%j', (text, value) => {
  expect(readArguments(text)).toEqual(value);
});
