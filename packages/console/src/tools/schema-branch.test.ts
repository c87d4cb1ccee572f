import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchesOf } from './schema-branch.js';

describe('a schema in parts', () => {
  it('names members, types, choices, defaults and limits', () => {
    const schema = {
      type: 'object',
      required: ['city'],
      properties: {
        city: { type: 'string', description: 'Where', minLength: 1 },
        unit: { enum: ['c', 'f'], default: 'c' },
        days: { type: 'array', items: { type: 'integer' } },
        at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        kind: { const: 'x' },
        self: { $ref: '#/$defs/Node' },
        any: true,
      },
    };
    const union = { anyOf: [{ title: 'Card', properties: { n: {} } }, { properties: { m: {} } }] };
    expect(branchesOf(union).map(({ name }) => name)).toEqual(['Card', 'choice 2']);
    expect(branchesOf(schema).map(({ name, type, required, notes }) => [name, type, required, notes])).toEqual([
      ['city', 'string', true, ['minLength 1']],
      ['unit', 'one of', false, ['"c", "f"', 'default "c"']],
      ['days', 'array of integer', false, []],
      ['at', 'string or null', false, []],
      ['kind', 'constant', false, ['"x"']],
      ['self', 'Node', false, []],
      ['any', 'anything', false, []],
    ]);
  });

  it('goes into arrays and unions of objects', () => {
    const item = { type: 'object', properties: { a: { type: 'string' } } };
    expect(branchesOf({ type: 'array', items: item }).map(({ name }) => name)).toEqual(['a']);
    expect(branchesOf({ oneOf: [item, { type: 'null' }, item] }).map(({ name }) => name)).toEqual([
      'choice 1',
      'choice 2',
    ]);
  });

  it('takes anything for a schema', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void branchesOf(value)));
    expect(branchesOf(undefined)).toEqual([]);
  });
});
