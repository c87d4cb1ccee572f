import { describe, expect, it } from 'vitest';
import { memberPaths } from './member-paths.js';

describe('memberPaths', () => {
  it('names the members down to four levels, without values', () => {
    expect(memberPaths({ a: 1, b: { c: { d: { e: { f: 'secret' } } }, g: ['secret'] }, h: {} })).toEqual([
      'a',
      'b.c.d.e',
      'b.g',
      'h',
    ]);
    for (const nothing of [undefined, null, 'secret', ['secret'], {}]) expect(memberPaths(nothing)).toEqual([]);
  });

  it('cuts names that a caller made long, and names a hundred at most', () => {
    const long = memberPaths({ ['x'.repeat(1_000_000)]: 1, a: { ['y'.repeat(1_000_000)]: 1 } });
    expect(long.map((path) => path.length)).toEqual([129, 129]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`m${at}`, { a: 1, b: 2 }]));
    expect(memberPaths(many)).toHaveLength(100);
  });
});
