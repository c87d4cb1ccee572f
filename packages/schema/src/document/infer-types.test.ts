import { describe, expect, it } from 'vitest';
import { typeInference } from './infer-types.js';
import { refResolver } from './resolve-ref.js';

const root = {
  $defs: {
    text: { type: 'string' },
    loop: { anyOf: [{ $ref: '#/$defs/loop' }, { type: 'string' }] },
    chain: { $ref: '#/$defs/text' },
  },
};

const inferred = (schema: Record<string, unknown> | boolean) => {
  const found = typeInference(refResolver(root))(schema);
  return found && { types: [...found.types].sort(), guessed: found.guessed };
};

const exact = (...types: readonly string[]) => ({ types, guessed: false });

describe('typeInference', () => {
  it.each([
    [{ type: 'string', enum: [1] }, exact('string')],
    [{ type: ['null', 'string'] }, exact('null', 'string')],
    [{ const: 1.5 }, exact('number')],
    [{ enum: [1, 2.5, 'a', true, null, [], {}] }, exact('array', 'boolean', 'null', 'number', 'object', 'string')],
    [{ $ref: '#/$defs/chain' }, exact('string')],
    [{ anyOf: [{ type: 'string' }, { const: null }] }, exact('null', 'string')],
    [{ oneOf: [{ $ref: '#/$defs/text' }] }, exact('string')],
    [{ allOf: [{ type: ['number', 'string'] }, { type: 'integer' }] }, exact('integer')],
    [{ allOf: [{ minLength: 1 }, { type: 'string' }] }, exact('string')],
    [{ properties: {} }, { types: ['object'], guessed: true }],
    [{ prefixItems: [] }, { types: ['array'], guessed: true }],
    [{ anyOf: [{ properties: {} }, { type: 'null' }] }, { types: ['null', 'object'], guessed: true }],
  ])('%j', (schema, expected) => {
    expect(inferred(schema)).toEqual(expected);
  });

  it.each([
    [{}],
    [true],
    [{ type: 'date' }],
    [{ anyOf: [{ type: 'string' }, {}] }],
    [{ anyOf: [] }],
    [{ allOf: [{ type: 'string' }, { type: 'number' }] }],
    [{ $ref: '#/nowhere' }],
    [{ $ref: '#/$defs/loop' }],
    [{ enum: [] }],
  ])('nothing can be said of %j', (schema) => {
    expect(inferred(schema)).toBeUndefined();
  });
});
