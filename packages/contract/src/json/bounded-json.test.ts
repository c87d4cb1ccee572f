import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBoundedJson } from './bounded-json.js';

describe('parseBoundedJson', () => {
  it('reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses a hundred thousand levels without building them', () => {
    expect(() => parseBoundedJson('['.repeat(100_000))).toThrow(/nested more than 64/u);
  });

  it('does not count brackets in strings', () => {
    const text = JSON.stringify({ a: '[{"'.repeat(100) });
    expect(parseBoundedJson(text)).toEqual({ a: '[{"'.repeat(100) });
  });

  it('allows exactly the limit', () => {
    expect(parseBoundedJson('[[1]]', { maxDepth: 2 })).toEqual([[1]]);
    expect(() => parseBoundedJson('[[[1]]]', { maxDepth: 2 })).toThrow(/nested/u);
  });

  it('refuses more values than the limit without building them', () => {
    expect(parseBoundedJson('[1,{"a":2}]', { maxValues: 4 })).toEqual([1, { a: 2 }]);
    expect(() => parseBoundedJson('[1,{"a":2,"b":3}]', { maxValues: 4 })).toThrow(/more than 4 values/u);
    expect(() => parseBoundedJson('['.padEnd(1_000_000, '0,'), { maxValues: 4 })).toThrow(/more than 4 values/u);
    expect(parseBoundedJson('"[,,,,,,,,"', { maxValues: 4 })).toBe('[,,,,,,,,');
  });

  it.each(['', '{', 'undefined', '{"a":1}}', '\uFEFF{}'])('refuses %j', (text) => {
    expect(() => parseBoundedJson(text)).toThrow(/not valid JSON/u);
  });
});
