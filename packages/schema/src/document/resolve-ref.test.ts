import { describe, expect, it } from 'vitest';
import { followRefs, refOf, refResolver } from './resolve-ref.js';

const root = {
  $id: 'https://example.com/tool',
  $defs: {
    A: { type: 'string' },
    'x/y z': { type: 'number' },
    named: { $anchor: 'name', type: 'null' },
    old: { $id: '#old', type: 'boolean' },
    B: { $ref: '#/$defs/A' },
    C: { $ref: '#/$defs/D' },
    D: { $ref: '#/$defs/C' },
    text: 'not a schema',
  },
  definitions: { P: true },
  properties: { a: { items: {} } },
};

describe('refResolver, one step', () => {
  it.each([
    ['#', root, ''],
    ['#/$defs/A', root.$defs.A, '/$defs/A'],
    ['#/definitions/P', true, '/definitions/P'],
    ['#/properties/a/items', {}, '/properties/a/items'],
    ['#/%24defs/x~1y%20z', root.$defs['x/y z'], '/$defs/x~1y z'],
    ['#name', root.$defs.named, '/$defs/named'],
    ['#old', root.$defs.old, '/$defs/old'],
    ['https://example.com/tool#/$defs/A', root.$defs.A, '/$defs/A'],
  ])('finds %s', (ref, schema, pointer) => {
    expect(refResolver(root)(ref)).toEqual({ found: true, schema, pointer });
  });

  it.each([
    ['https://example.com/other.json', 'remote'],
    ['other.json#/$defs/A', 'remote'],
    ['#/$defs/Z', 'missing'],
    ['#nowhere', 'missing'],
    ['#/$defs/constructor', 'missing'],
    ['#/$defs/text', 'not-a-schema'],
    ['#%', 'missing'],
  ])('says why %s leads nowhere', (ref, why) => {
    expect(refResolver(root)(ref)).toEqual({ found: false, why });
  });
});

describe('followRefs', () => {
  const resolve = refResolver(root);

  it('follows a chain to its end', () => {
    expect(followRefs(resolve, { $ref: '#/$defs/B' })).toEqual({
      found: true,
      schema: { type: 'string' },
      pointer: '/$defs/A',
    });
    expect(followRefs(resolve, true)).toMatchObject({ found: true, schema: true });
  });

  it('ends where references only lead to each other or nowhere', () => {
    expect(followRefs(resolve, { $ref: '#/$defs/C' })).toEqual({ found: false, why: 'endless' });
    expect(followRefs(resolve, { $ref: '#/$defs/Z' })).toEqual({ found: false, why: 'missing' });
  });

  it('reads only textual references', () => {
    expect(refOf({ $ref: 3 })).toBeUndefined();
    expect(refOf({ $dynamicRef: '#name' })).toBe('#name');
  });
});
