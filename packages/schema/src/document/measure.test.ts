import { describe, expect, it } from 'vitest';
import { measure } from './measure.js';

const nest = (levels: number): unknown => {
  let value: unknown = {};
  for (let level = 0; level < levels; level += 1) value = { items: value };
  return value;
};

describe('measure', () => {
  it('counts nodes, depth and size', () => {
    expect(measure({ ab: ['cd', 1], e: null })).toEqual({ ok: true, nodes: 5, depth: 2, size: 23 });
  });

  it('says where a document exceeds the limits', () => {
    expect(measure({ a: { b: { c: {} } } }, { depth: 3, nodes: 9, size: 99 })).toEqual({
      ok: false,
      excess: 'depth',
      pointer: '/a/b',
    });
    expect(measure([1, 2, 3], { depth: 3, nodes: 3, size: 99 })).toMatchObject({ excess: 'nodes' });
    expect(measure({ a: 'x'.repeat(100) }, { depth: 3, nodes: 3, size: 99 })).toMatchObject({ excess: 'size' });
    expect(measure({ a: [() => 1] })).toEqual({ ok: false, excess: 'not-json', pointer: '/a' });
  });

  it('reads 100,000 levels and a list of a million without running out of stack', () => {
    expect(measure(nest(100_000))).toMatchObject({ ok: false, excess: 'depth' });
    expect(measure(Array.from({ length: 1_000_000 }))).toMatchObject({ ok: false, excess: 'nodes' });
  });

  it('finds an object that contains itself, and not one that is only used twice', () => {
    const loop: Record<string, unknown> = { a: {} };
    loop['b'] = { c: loop };
    expect(measure(loop)).toEqual({ ok: false, excess: 'cycle', pointer: '/b' });
    const twice = {};
    expect(measure({ a: twice, b: [twice] })).toMatchObject({ ok: true });
  });
});
