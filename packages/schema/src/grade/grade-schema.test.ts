import { describe, expect, it } from 'vitest';
import { gradeSchema } from './grade-schema.js';
import { gradeTool } from './grade-tool.js';
import { RULES, type RuleId } from './rule.js';

const root = (more: Record<string, unknown>) => ({
  type: 'object',
  properties: {},
  additionalProperties: false,
  ...more,
});
const withProperty = (schema: unknown, more: Record<string, unknown> = {}) =>
  root({ properties: { p: schema }, ...more });
const text = { type: 'string' };
const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#' };
const draft2020 = { $schema: 'https://json-schema.org/draft/2020-12/schema' };

const deep = (levels: number): unknown => {
  let schema: unknown = text;
  for (let level = 0; level < levels; level += 1) schema = { type: 'array', items: schema };
  return schema;
};

type SchemaRule = Exclude<RuleId, 'SCH-15' | 'SCH-34' | 'SCH-35' | 'SCH-37'>;

/** For every rule about schemas those that break it, and where. */
const BROKEN: Readonly<Record<SchemaRule, readonly (readonly [schema: unknown, pointer: string])[]>> = {
  'SCH-01': [
    ['x', ''],
    [null, ''],
    [undefined, ''],
    [true, ''],
    [[], ''],
  ],
  'SCH-02': [
    [{ type: 'string' }, '/type'],
    [{ type: ['array', 'null'] }, '/type'],
    [{ items: {} }, ''],
    [{ anyOf: [text, { type: 'null' }] }, ''],
    [{ enum: ['a'] }, ''],
  ],
  'SCH-03': [
    [withProperty({ type: 'date' }), '/properties/p/type'],
    [withProperty({ type: ['string', 'any'] }), '/properties/p/type'],
    [withProperty({ type: [] }), '/properties/p/type'],
    [withProperty({ type: null }), '/properties/p/type'],
  ],
  'SCH-04': [
    [root({ properties: [] }), '/properties'],
    [root({ $defs: 'x' }), '/$defs'],
  ],
  'SCH-05': [
    [root({ required: 'a' }), '/required'],
    [withProperty({ type: 'string', required: true }), '/properties/p/required'],
    [root({ required: [1] }), '/required'],
  ],
  'SCH-06': [
    [withProperty('text'), '/properties/p'],
    [withProperty({ type: 'array', items: 'string' }), '/properties/p/items'],
    [withProperty({ type: 'array', items: [text] }, draft2020), '/properties/p/items'],
    [root({ additionalProperties: 'no' }), '/additionalProperties'],
    [withProperty({ anyOf: [text, 3] }), '/properties/p/anyOf/1'],
  ],
  'SCH-07': [
    [withProperty({ anyOf: {} }), '/properties/p/anyOf'],
    [withProperty({ oneOf: [] }), '/properties/p/oneOf'],
  ],
  'SCH-08': [
    [withProperty({ $ref: '#/$defs/Missing' }), '/properties/p/$ref'],
    [withProperty({ $ref: 3 }), '/properties/p/$ref'],
  ],
  'SCH-09': [[withProperty({ $ref: 'https://example.com/s.json' }), '/properties/p/$ref']],
  'SCH-10': [
    [withProperty({ $ref: '#/properties/p' }), '/properties/p'],
    [root({ $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } }), '/$defs/B'],
    [root({ $defs: { A: { anyOf: [text, { $ref: '#/$defs/A' }] } } }), '/$defs/A/anyOf/1'],
  ],
  'SCH-11': [
    [root({ required: ['a'] }), '/required'],
    [withProperty(root({ required: ['a'] }), { required: ['p'] }), '/properties/p/required'],
    [withProperty(false, { required: ['p'] }), '/required'],
    [withProperty({ enum: [] }, { required: ['p'] }), '/required'],
  ],
  'SCH-12': [[withProperty({ enum: 'a' }), '/properties/p/enum']],
  'SCH-13': [
    [withProperty(deep(400)), `/properties/p${'/items'.repeat(10)}`],
    [root({ $defs: Object.fromEntries(Array.from({ length: 50_001 }, (_, index) => [index, true])) }), '/$defs'],
    [root({ description: 'x'.repeat(5_000_000) }), ''],
  ],
  'SCH-14': [[withProperty({ type: 'string', default: () => 1 }), '/properties/p']],
  'SCH-20': [
    [{ properties: {}, additionalProperties: false }, ''],
    [{}, ''],
    [{ type: ['object', 'null'], properties: {}, additionalProperties: false }, '/type'],
  ],
  'SCH-21': [
    [{ type: 'object', properties: { a: text } }, ''],
    [withProperty({ type: ['object', 'null'], properties: { a: text } }), '/properties/p'],
  ],
  'SCH-22': [
    [root({ additionalProperties: {} }), ''],
    [withProperty({ type: 'object', additionalProperties: text }), '/properties/p'],
    [withProperty({ type: 'object', properties: { a: text }, additionalProperties: true }), '/properties/p'],
    [withProperty({ type: 'object', patternProperties: { a: text } }), '/properties/p'],
  ],
  'SCH-23': [
    [{ type: 'object' }, ''],
    [withProperty({ type: 'object' }), '/properties/p'],
    [withProperty({ type: ['object', 'null'] }), '/properties/p'],
  ],
  'SCH-24': [
    [withProperty({}), '/properties/p'],
    [withProperty({ description: 'x' }), '/properties/p'],
    [withProperty({ type: 'array', items: {} }), '/properties/p/items'],
  ],
  'SCH-25': [
    [withProperty({ properties: { a: text }, additionalProperties: false }), '/properties/p'],
    [withProperty({ items: text }), '/properties/p'],
  ],
  'SCH-26': [[withProperty({ type: 'array' }), '/properties/p']],
  'SCH-27': [
    [withProperty({ type: 'array', prefixItems: [text] }), '/properties/p'],
    [withProperty({ type: 'array', items: [text] }, draft07), '/properties/p'],
    [withProperty({ type: 'array', items: [text] }), '/properties/p'],
  ],
  'SCH-28': [
    [root({ anyOf: [{ type: 'object', additionalProperties: false }] }), '/anyOf'],
    [{ $ref: '#/$defs/A', $defs: { A: root({}) } }, '/$ref'],
  ],
  'SCH-29': [
    [withProperty({ oneOf: [text] }), '/properties/p/oneOf'],
    [withProperty({ type: 'string', not: { const: 'x' } }), '/properties/p/not'],
    [root({ dependentRequired: {} }), '/dependentRequired'],
  ],
  'SCH-30': [
    [withProperty(true), '/properties/p'],
    [withProperty({ type: 'array', items: false }), '/properties/p/items'],
  ],
  'SCH-31': [
    [{ type: 'object', properties: { a: text }, required: ['b'] }, '/required'],
    [withProperty(root({ required: ['a'] })), '/properties/p/required'],
  ],
  'SCH-32': [[withProperty({ type: 'string', format: 'uri' }), '/properties/p/format']],
  'SCH-33': [
    [withProperty({ type: 'number', minimum: 1, exclusiveMinimum: true }), '/properties/p/exclusiveMinimum'],
    [withProperty({ type: 'string', minLength: '3' }), '/properties/p/minLength'],
    [withProperty({ type: 'string', maxLength: -1 }), '/properties/p/maxLength'],
    [withProperty({ type: 'string', description: ['x'] }), '/properties/p/description'],
  ],
  'SCH-36': [[withProperty({ enum: [] }), '/properties/p/enum']],
};

describe.each(Object.entries(BROKEN))('%s', (rule, examples) => {
  it.each(examples.map(([schema, pointer], index) => ({ index, schema, pointer })))(
    'is broken by example $index',
    ({ schema, pointer }) => {
      const { status, reasons } = gradeSchema(schema);
      const { effect, fix } = RULES[rule as RuleId];
      expect(reasons).toContainEqual(expect.objectContaining({ rule, pointer, fix }));
      if (effect === 'INVALID') expect(status).toBe('INVALID');
      else expect(status).toBe('NON_STRICT_ONLY');
    },
  );
});

describe('rules about the tool', () => {
  const fine = { name: 'x', inputSchema: root({}) };
  const rules = (more: Record<string, unknown>) => gradeTool({ ...fine, ...more }).reasons.map(({ rule }) => rule);

  it('measures the description', () => {
    expect(rules({ description: 'x'.repeat(102_400) })).toEqual([]);
    expect(gradeTool({ ...fine, description: 'é'.repeat(51_201) })).toMatchObject({
      status: 'INVALID',
      reasons: [{ rule: 'SCH-15' }],
    });
    expect(rules({ description: 7 })).toEqual(['SCH-35']);
    expect(rules({ description: null })).toEqual([]);
  });

  it.each([
    { title: 7 },
    { icons: 'x' },
    { icons: [{}] },
    { annotations: [] },
    { annotations: { readOnlyHint: 'yes' } },
    { execution: { taskSupport: 'maybe' } },
    { _meta: [] },
  ])('finds what clients refuse beside the schemas: %j', (members) => {
    expect(rules(members)).toEqual(['SCH-37']);
  });

  it('takes null for nothing, and leaves sound members alone', () => {
    const nothing = { title: null, icons: null, annotations: null, execution: null, _meta: null };
    expect(rules(nothing)).toEqual([]);
    expect(rules({ title: 'a', icons: [{ src: 'a', vendor: 1 }], annotations: { vendor: 1 }, _meta: {} })).toEqual([]);
  });

  it.each([
    { type: 'object', properties: { a: { type: 'string', pattern: '(' } } },
    { type: 'object', properties: { a: { type: 'string', minLength: 'x' } } },
    { type: 'object', $schema: 7 },
    { type: 'object', properties: { a: { $id: 'of-another', type: 'string' } } },
    { $id: 'https://example.com/a', type: 'object', properties: { a: { $ref: 'https://example.com/a#/x' } } },
    { type: 'object', properties: { a: { id: 'of-draft-4' } } },
  ])('finds output schemas that clients cannot compile: %j', (outputSchema) => {
    expect(rules({ outputSchema })).toEqual(['SCH-34']);
  });

  it('looks whether results can be checked', () => {
    expect(rules({ outputSchema: { type: 'array' } })).toEqual([]);
    expect(rules({ outputSchema: true })).toEqual(['SCH-34']);
    expect(gradeTool({ ...fine, outputSchema: withProperty({ $ref: '#/x' }) })).toEqual({
      status: 'NON_STRICT_ONLY',
      reasons: [expect.objectContaining({ rule: 'SCH-34', message: expect.stringContaining('does not exist') })],
    });
  });

  it('keeps to the original rules in profile letta', () => {
    expect(gradeTool({ ...fine, description: 'x'.repeat(200_000) }, { profile: 'letta' }).status).toBe(
      'STRICT_COMPLIANT',
    );
    expect(gradeTool({ name: 'x' }, { profile: 'letta' })).toMatchObject({
      status: 'INVALID',
      reasons: [{ rule: 'V1' }],
    });
  });
});

describe('what is strict', () => {
  it.each([
    withProperty({ enum: ['a', 'b'] }),
    withProperty({ const: 1 }),
    withProperty({ type: ['string', 'null'] }),
    withProperty({ anyOf: [text, { type: 'null' }] }),
    withProperty({ $ref: '#/$defs/A' }, { $defs: { A: root({ properties: { next: { $ref: '#/$defs/A' } } }) } }),
    withProperty({ $ref: '#/definitions/A', type: 'string' }, { definitions: { A: text } }),
    withProperty({ type: 'array', items: text, minItems: 1 }, { required: ['p'] }),
    withProperty(root({ properties: { q: text } }), { required: ['p'] }),
    withProperty({ type: 'string', format: 'date-time', pattern: '^2', default: 'x', description: 'd', title: 't' }),
    { ...root({ properties: { constructor: text } }), required: ['constructor'] },
  ])('%j', (schema) => {
    expect(gradeSchema(schema)).toEqual({ status: 'STRICT_COMPLIANT', reasons: [] });
  });
});

describe('what the rest of the document decides', () => {
  it('lets a branch require what its parent declares', () => {
    const schema = root({ properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] });
    expect(gradeSchema(schema).reasons.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      'SCH-28 /anyOf',
      'SCH-24 /anyOf/0',
      'SCH-24 /anyOf/1',
    ]);
  });

  it('asks only for form inside conditions', () => {
    const schema = withProperty({ type: 'string', not: { properties: { a: {} } } });
    expect(gradeSchema(schema).reasons.map(({ rule }) => rule)).toEqual(['SCH-29']);
    expect(gradeSchema(withProperty({ type: 'string', not: { type: 'x' } })).status).toBe('INVALID');
  });

  it('keeps its answer short when very much is wrong', () => {
    const properties = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`p${index}`, {}]));
    expect(gradeSchema(root({ properties })).reasons).toHaveLength(500);
  });
});

describe('hostile input', () => {
  const loop: Record<string, unknown> = { type: 'object' };
  loop['properties'] = { self: loop };
  const throwing = Object.defineProperty({}, 'type', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });

  it.each([
    ['an object that contains itself', loop],
    ['100,000 levels', deep(100_000)],
    ['a million items', { enum: Array.from({ length: 1_000_000 }, (_, index) => index) }],
    ['an object that throws', throwing],
  ])('%s is INVALID in both profiles', (_name, schema) => {
    expect(gradeSchema(schema).status).toBe('INVALID');
    expect(gradeSchema(schema, { profile: 'letta' }).status).toBe('INVALID');
  });

  it('follows a chain of 20,000 references', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [
        `d${index}`,
        index === 19_999 ? text : { $ref: `#/$defs/d${index + 1}` },
      ]),
    );
    expect(gradeSchema(withProperty({ $ref: '#/$defs/d0' }, { $defs })).status).toBe('STRICT_COMPLIANT');
  });
});
