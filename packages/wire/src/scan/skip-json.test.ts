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

it('finds the end of a long text with many escapes, and a control character anywhere in it', () => {
  const lines = fc.array(fc.string({ unit: 'grapheme', maxLength: 50 }), { minLength: 5, maxLength: 30 });
  fc.assert(
    fc.property(lines, fc.nat(7), fc.nat(), (given, offset, place) => {
      const text = JSON.stringify(['x'.repeat(70), ...given, '\u0001"\\'].join('\n'));
      const bytes = Buffer.from(' '.repeat(offset) + text);
      expect(skipString(bytes, offset)).toBe(bytes.length);
      const at = offset + 1 + (place % (bytes.length - offset - 2));
      expect(skipString(Buffer.concat([bytes.subarray(0, at), Buffer.of(9), bytes.subarray(at)]), offset)).toBe(
        NOWHERE,
      );
    }),
  );
});
