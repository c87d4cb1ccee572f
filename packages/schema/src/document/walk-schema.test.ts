import { describe, expect, it } from 'vitest';
import { walkSchema } from './walk-schema.js';

const pointers = (root: unknown): string[] => {
  const seen: string[] = [];
  walkSchema(root, (node) => void seen.push(node.pointer));
  return seen;
};

describe('walkSchema', () => {
  it('visits every subschema in document order with its pointer', () => {
    const root = {
      type: 'object',
      properties: { 'a/b': { items: [{}, true] }, c: { anyOf: [{ not: {} }, { prefixItems: [{}] }] } },
      $defs: { 'd~e': {} },
      definitions: { f: { additionalProperties: false } },
      dependencies: { a: ['c'], c: JSON.parse('{"if":{},"then":{},"else":{}}') },
    };
    expect(pointers(root)).toEqual([
      '',
      '/properties/a~1b',
      '/properties/a~1b/items/0',
      '/properties/a~1b/items/1',
      '/properties/c',
      '/properties/c/anyOf/0',
      '/properties/c/anyOf/0/not',
      '/properties/c/anyOf/1',
      '/properties/c/anyOf/1/prefixItems/0',
      '/$defs/d~0e',
      '/definitions/f',
      '/definitions/f/additionalProperties',
      '/dependencies/c',
      '/dependencies/c/if',
      '/dependencies/c/then',
      '/dependencies/c/else',
    ]);
  });

  it('passes over members that have no form of a schema, and data that only looks like one', () => {
    expect(pointers({ properties: 'x', items: 3, anyOf: {}, default: { properties: { a: {} } }, not: [] })).toEqual([
      '',
    ]);
    expect(pointers('text')).toEqual([]);
    expect(pointers(null)).toEqual([]);
  });

  it('stays out of what the visitor skips, and names keyword, key and parent', () => {
    const seen: unknown[] = [];
    walkSchema({ properties: { a: { items: {} } }, not: {} }, (node) => {
      seen.push([node.keyword, node.key, node.depth, node.parent?.pointer]);
      return node.key === 'a' ? 'skip' : undefined;
    });
    expect(seen).toEqual([
      [undefined, undefined, 0, undefined],
      ['properties', 'a', 1, ''],
      ['not', undefined, 1, ''],
    ]);
  });

  it('ends at its limits, whatever contains itself', () => {
    const loop: Record<string, unknown> = {};
    loop['items'] = loop;
    expect(walkSchema(loop, () => undefined)).toMatchObject({ complete: false, limit: 'depth' });
    const wide = { allOf: Array.from({ length: 50 }, () => ({})) };
    expect(walkSchema(wide, () => undefined, { limits: { nodes: 10 } })).toEqual({
      complete: false,
      limit: 'nodes',
      pointer: '/allOf/9',
    });
  });
});
