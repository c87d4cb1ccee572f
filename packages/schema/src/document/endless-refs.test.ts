import { describe, expect, it } from 'vitest';
import { endlessRefs } from './endless-refs.js';
import { refResolver } from './resolve-ref.js';

const count = (root: unknown): number => endlessRefs(root, refResolver(root)).size;

describe('endlessRefs', () => {
  it.each([
    [{ $ref: '#' }],
    [{ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    [{ allOf: [{ $ref: '#' }] }],
    [{ $defs: { a: { if: {}, else: { $ref: '#/$defs/a' } } } }],
    [{ properties: { a: { not: { $ref: '#/properties/a' } } } }],
  ])('%j never ends', (root) => {
    expect(count(root)).toBe(1);
  });

  it.each([
    [{ properties: { a: { $ref: '#' } } }],
    [{ $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } } }],
    [{ anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: {} } }],
    [true],
  ])('%j ends', (root) => {
    expect(count(root)).toBe(0);
  });
});
