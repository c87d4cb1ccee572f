import { describe, expect, it } from 'vitest';
import { normaliseSchema } from './normalise-schema.js';

const normalised = (schema: unknown): unknown => normaliseSchema(schema).schema;
const property = (schema: unknown, more: Record<string, unknown> = {}): unknown => {
  const root = normalised({ type: 'object', properties: { p: schema }, ...more }) as { properties: { p: unknown } };
  return root.properties.p;
};

describe('openness', () => {
  it('closes an object that declares its properties', () => {
    expect(property({ type: 'object', properties: { a: { type: 'string' } } })).toMatchObject({
      additionalProperties: false,
    });
  });

  it('keeps a free-form object open, and says so', () => {
    expect(property({ type: 'object' })).toEqual({ type: 'object', additionalProperties: true });
    expect(property({ type: 'object', properties: {} })).toMatchObject({ additionalProperties: true });
    expect(property({ type: ['object', 'null'] })).toMatchObject({ additionalProperties: true });
    expect(property({ type: 'object', additionalProperties: { type: 'string' } })).toMatchObject({
      additionalProperties: { type: 'string' },
    });
  });

  it('closes a root that declares no parameters, and not one that declares nothing', () => {
    expect(normalised({ type: 'object', properties: {} })).toMatchObject({ additionalProperties: false });
    expect(normalised({ type: 'object' })).toEqual({ type: 'object', additionalProperties: true, properties: {} });
    expect(normalised({})).toEqual({ type: 'object', additionalProperties: true, properties: {} });
  });

  it('does not close an object that requires what it does not declare', () => {
    expect(property({ type: 'object', properties: { a: {} }, required: ['b'] })).toMatchObject({
      additionalProperties: true,
    });
  });

  it('leaves alone what is only a part or a condition', () => {
    const part = { type: 'object', properties: { a: { type: 'string' } } };
    expect(property({ allOf: [part] })).toEqual({ allOf: [part] });
    expect(property({ not: part })).toEqual({ not: part });
    expect(property({ anyOf: [part], properties: { b: {} } })).toMatchObject({ anyOf: [part] });
    expect(property({ anyOf: [part] })).toEqual({ anyOf: [{ ...part, additionalProperties: false }] });
  });

  it('leaves alone what a part refers to', () => {
    const $defs = {
      base: { type: 'object', properties: { a: { $ref: '#/$defs/leaf' } } },
      leaf: { type: 'object', properties: { x: {} } },
    };
    const schema = { type: 'object', properties: { p: { allOf: [{ $ref: '#/$defs/base' }] } }, $defs };
    expect(normalised(schema)).toMatchObject({ $defs: { base: $defs.base, leaf: $defs.leaf } });
    expect(JSON.stringify(normalised(schema))).not.toContain('"x":{}},"additionalProperties"');
  });

  it('closes what is referred to plainly', () => {
    const $defs = { leaf: { type: 'object', properties: { x: { type: 'string' } } } };
    expect(normalised({ type: 'object', properties: { p: { $ref: '#/$defs/leaf' } }, $defs })).toMatchObject({
      properties: { p: { $ref: '#/$defs/leaf', type: 'object' } },
      $defs: { leaf: { additionalProperties: false } },
    });
  });
});

describe('types', () => {
  it.each([
    [{ enum: ['a', 'b'] }, 'string'],
    [{ enum: ['a', null] }, ['null', 'string']],
    [{ enum: [1, 2.5] }, 'number'],
    [{ const: 1 }, 'integer'],
    [{ const: null }, 'null'],
    [{ properties: { a: {} } }, 'object'],
    [{ items: {} }, 'array'],
  ])('writes out the type of %j', (schema, type) => {
    expect(property(schema)).toMatchObject({ type });
  });

  it('writes the type of the target beside a reference', () => {
    expect(property({ $ref: '#/definitions/E' }, { definitions: { E: { enum: ['a'] } } })).toEqual({
      $ref: '#/definitions/E',
      type: 'string',
    });
    expect(
      property({ $ref: '#/$defs/U' }, { $defs: { U: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }),
    ).toMatchObject({
      type: ['null', 'string'],
    });
    expect(property({ $ref: '#/nowhere' })).toEqual({ $ref: '#/nowhere' });
  });

  it('gives the root its type when it can be an object', () => {
    expect(normalised({ properties: { a: { type: 'string' } } })).toMatchObject({ type: 'object' });
    expect(normalised({ type: ['object', 'null'], properties: {} })).toMatchObject({ type: 'object' });
    expect(normalised({ type: 'string' })).toEqual({ type: 'string' });
    expect(normalised({ $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: {} } } })).toMatchObject({
      type: 'object',
    });
  });

  it('does not guess inside a condition', () => {
    expect(property({ type: 'string', not: { properties: { a: {} } } })).toEqual({
      type: 'string',
      not: { properties: { a: {} } },
    });
  });
});

describe('alternatives', () => {
  it('removes exact duplicates and no distinct branch', () => {
    expect(property({ anyOf: [{ type: 'string' }, { type: 'string' }, { type: 'null' }] })).toEqual({
      anyOf: [{ type: 'string' }, { type: 'null' }],
    });
    const enums = [
      { type: 'string', enum: ['a'] },
      { type: 'string', enum: ['b'] },
    ];
    expect(property({ anyOf: enums })).toEqual({ anyOf: enums });
    const formats = [{ type: 'string' }, { type: 'string', format: 'uuid' }];
    expect(property({ anyOf: formats })).toEqual({ anyOf: formats });
    const one = [{ type: 'string' }, { type: 'string' }];
    expect(property({ oneOf: one })).toEqual({ oneOf: one });
  });

  it('keeps duplicates that something refers to by number', () => {
    const anyOf = [{ type: 'string' }, { type: 'string' }, { type: 'null' }];
    const schema = { type: 'object', properties: { p: { anyOf }, q: { $ref: '#/properties/p/anyOf/2' } } };
    expect(normalised(schema)).toMatchObject({ properties: { p: { anyOf }, q: { type: 'null' } } });
  });
});

describe('references to references', () => {
  it('get their types in one go, however far they lead', () => {
    const schema = {
      type: 'object',
      properties: { a: { $anchor: 'a', $ref: '#' }, b: { $ref: '#a' } },
      anyOf: [{ oneOf: [{ $ref: '#a' }] }],
    };
    const once = normaliseSchema(schema);
    expect(normaliseSchema(once.schema)).toEqual({ schema: once.schema, changes: [] });
    expect(once.schema).toMatchObject({ anyOf: [{ oneOf: [{ $ref: '#a', type: 'object' }] }] });
  });
});

describe('rubbish', () => {
  it.each(['x', null, undefined, 3, [], [{}]])('answers %j with a schema that accepts nothing', (schema) => {
    expect(normaliseSchema(schema)).toEqual({ schema: false, changes: [expect.objectContaining({ rule: 'NRM-09' })] });
  });

  it('survives cycles, depth and objects that throw', () => {
    const loop: Record<string, unknown> = {};
    loop['items'] = loop;
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = { items: deep };
    const hostile = Object.defineProperty({}, 'type', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    for (const schema of [loop, deep, hostile]) expect(normalised(schema)).toBe(false);
    expect(normalised(true)).toBe(true);
    expect(property({ properties: 'x', items: 3, anyOf: {} })).toMatchObject({ properties: 'x', items: 3, anyOf: {} });
  });

  it('keeps what it does not know, and keys that look like a prototype', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"enum":[1]}},"x-own":{"enum":[1]},"additionalProperties":false}',
    );
    expect(JSON.stringify(normalised(schema))).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"integer","enum":[1]}},"x-own":{"enum":[1]},"additionalProperties":false}',
    );
  });
});
