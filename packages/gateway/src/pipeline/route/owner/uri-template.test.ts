import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MatchBudget, uriMatches } from './uri-template.js';

/** What a template means, as a pattern: right for small inputs, and far too slow for others. */
const patternOf = (template: string): RegExp => {
  const meaning: Readonly<Record<string, string>> = {
    '{a}': '[^/?#]+',
    '{+a}': '.+',
    '{a*}': '.+',
    '{/a}': '(?:/[^/?#]+)+',
    '{?a}': '(?:[?&].*)?',
  };
  const source = template.split(/(\{[^{}]*\})/u).map((part) => meaning[part] ?? part.replaceAll(/[.?]/gu, '\\$&'));
  return new RegExp(`^${source.join('')}$`, 'u');
};

describe('uriMatches', () => {
  it.each([
    ['file:///{path}', 'file:///a', true],
    ['file:///{path}', 'file:///a/b', false],
    ['file:///{+path}', 'file:///a/b', true],
    ['file://{/segments}', 'file:///a/b', true],
    ['file://{/segments}', 'file:///a/', false],
    ['x://{host}/q{?a,b}', 'x://h/q?a=1&b=2', true],
    ['x://{host}/q{?a,b}', 'x://h/q', true],
    ['x://a.b/{id*}', 'x://a.b/1/2', true],
    ['x://a.b/{id}', 'x://aXb/1', false],
    ['x://(a)/{id}', 'x://(a)/1', true],
    ['plain', 'plain', true],
    ['plain', 'plain2', false],
    ['{a', '{a', true],
    ['', '', true],
  ])('%s and %s: %s', (template, uri, matches) => {
    expect(uriMatches(template, uri)).toBe(matches);
  });

  it('agrees with a pattern on whatever is small', () => {
    const part = fc.constantFrom('{a}', '{+a}', '{a*}', '{/a}', '{?a}', 'a', '/', '?', '.', 'ab');
    const template = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
    const uri = fc
      .array(fc.constantFrom('a', 'b', '/', '?', '&', '#', '.'), { maxLength: 8 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(template, uri, (given, asked) => {
        expect(uriMatches(given, asked)).toBe(patternOf(given).test(asked));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives up on what no client can mean', () => {
    expect(uriMatches('{+a}'.repeat(80), 'x'.repeat(80))).toBe(false);
    expect(uriMatches('{+a}', 'x'.repeat(8193))).toBe(false);
    expect(uriMatches('x'.repeat(2049), 'x'.repeat(2049))).toBe(false);
  });

  it('stops when the budget is spent', () => {
    const budget = new MatchBudget(50);
    expect(uriMatches('{+a}', 'x'.repeat(40), budget)).toBe(true);
    expect(uriMatches('{+a}', 'x'.repeat(40), budget)).toBe(false);
  });
});
