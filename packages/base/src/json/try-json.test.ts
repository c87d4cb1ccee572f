import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tryJson } from './try-json.js';

it('gives back every value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(tryJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

it.each(['', '{', 'undefined', "{'a': 1}", '1 2'])('"%s" is no JSON', (text) => {
  expect(tryJson(text)).toBeUndefined();
});
