import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NOWHERE, skipString } from './skip-json.js';

const isString = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'string';
  } catch {
    return false;
  }
};

it('finds the end of a long string wherever it begins, and what may not be in it', () => {
  const odd = fc.constantFrom(
    '"',
    '\\',
    '\\"',
    '\\u00e9',
    '\n',
    '\u0000',
    '\u001f',
    ' ',
    '!',
    '[',
    ']',
    'é',
    '\u{1f600}',
    '',
  );
  fc.assert(
    fc.property(fc.nat(300), odd, fc.nat(9), fc.nat(9), (before, special, after, offset) => {
      const text = `"${'a'.repeat(before)}${special}${'€'.repeat(after)}"`;
      const bytes = Buffer.from(' '.repeat(offset) + text);
      const end = skipString(bytes.subarray(offset), 0);
      // A quote ends it early, and what follows is somebody else's.
      if (special === '"') expect(end).toBe(before + 2);
      else expect(end).toBe(isString(text) ? bytes.length - offset : NOWHERE);
    }),
    { numRuns: 2000 },
  );
});
