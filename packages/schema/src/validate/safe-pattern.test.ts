import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safePattern } from './compiler.js';

describe('safePattern', () => {
  it.each(['(?=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', '(', '[b-a]', 'a{2,1}', 'x{1,5000}'])(
    'refuses %s',
    (pattern) => {
      expect(safePattern(pattern)).toBeUndefined();
    },
  );

  it('takes an escaped backslash before a digit for what it is', () => {
    expect(safePattern('^\\\\1$')?.test('\\1')).toBe(true);
  });

  it('matches like the language does', () => {
    const atoms = fc.constantFrom(
      'a',
      'b',
      '[ab]',
      '[^a]',
      '.',
      '\\d',
      '\\w',
      '(?:ab)',
      'a|b',
      '^',
      '$',
      '\\-',
      '\\/',
      '\\u0041',
      '(?<n>a)',
    );
    const suffix = fc.constantFrom('', '', '*', '+', '?', '{1,3}');
    const pattern = fc
      .array(fc.tuple(atoms, suffix), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.map(([atom, times]) => (/^(?:\^|\$|.\|.)$/u.test(atom) ? atom : atom + times)).join(''));
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', 'A', '1', '-', '/', ' '), maxLength: 8 }),
        (source, text) => {
          fc.pre(source.split('(?<n>').length < 3);
          expect(safePattern(source)?.test(text)).toBe(new RegExp(source).test(text));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('ends at once on a pattern that takes others for ever', () => {
    expect(safePattern('^(a+)+$')?.test(`${'a'.repeat(20_000)}!`)).toBe(false);
    expect(safePattern('^(([a-z])+.)+[A-Z]([a-z])+$')?.test('a'.repeat(20_000))).toBe(false);
  });
});
