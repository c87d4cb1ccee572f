import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it('sorts members and drops what JSON drops', () => {
    expect(canonicalJson({ b: [1, undefined, 'x'], a: undefined, A: null })).toBe('{"A":null,"b":[1,null,"x"]}');
    expect(canonicalJson('é"')).toBe('"é\\""');
    expect(canonicalJson(undefined)).toBe('null');
  });

  it('is JSON that says the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('ends on cycles, on depth, and on one value in very many places', () => {
    const loop: Record<string, unknown> = {};
    loop['me'] = [loop];
    expect(canonicalJson(loop)).toBe('{"me":[<itself>]}');
    let many: unknown = {};
    for (let level = 0; level < 60; level += 1) many = [many, many];
    expect(canonicalJson(many)).toMatch(/<cut>$/u);
  });
});
