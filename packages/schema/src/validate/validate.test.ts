import { describe, expect, it } from 'vitest';
import { explainProblems } from './problem.js';
import { createSchemaValidator, type Validation } from './schema-validator.js';
import { validateArguments, validateResult } from './validate.js';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});
const text = { type: 'string' };

const messages = (validation: Validation): readonly string[] =>
  validation.ok ? [] : validation.problems.map(({ pointer, message }) => `${pointer} ${message}`);

const problemOf = (schema: unknown, value: unknown) => messages(validateArguments(object({ p: schema }), { p: value }));

describe('validateArguments', () => {
  it('accepts what fits', () => {
    expect(validateArguments(object({ a: text }, { required: ['a'] }), { a: 'x' })).toEqual({ ok: true });
    expect(validateArguments(object({ a: text }), undefined)).toEqual({ ok: true });
  });

  it('names every problem in words that can be acted on', () => {
    const schema = object(
      { city: text, days: { type: 'integer', minimum: 1 }, units: { enum: ['metric', 'imperial'] } },
      { required: ['city'], additionalProperties: false },
    );
    const validation = validateArguments(schema, { citty: 'Rome', days: '3', units: 'm' });
    expect(messages(validation)).toEqual([
      '/city "city" is required.',
      '/citty "citty" is not known here. Did you mean "city"?',
      '/days Must be integer, and is string: "3".',
      '/units Must be one of "metric", "imperial".',
    ]);
    expect(validation.ok ? '' : explainProblems(validation.problems)).toContain('/days: Must be integer');
  });

  it.each([
    [{ type: ['string', 'null'] }, 1, '/p Must be string or null, and is integer: 1.'],
    [{ const: 'x' }, 'y', '/p Must be "x".'],
    [{ type: 'number', exclusiveMaximum: 3 }, 3, '/p Must be less than 3.'],
    [{ type: 'string', minLength: 2 }, 'a', '/p Must have at least 2 characters.'],
    [{ type: 'array', maxItems: 1 }, [1, 2], '/p Must have at most 1 items.'],
    [
      { type: 'array', uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      '/p Must not contain the same item twice.',
    ],
    [{ type: 'string', pattern: '^a' }, 'b', '/p Must match the pattern "^a".'],
    [{ type: 'string', format: 'uuid' }, 'b', '/p Must have the format "uuid".'],
    [{ multipleOf: 2 }, 3, '/p Must be a multiple of 2.'],
    [{ oneOf: [text, { minLength: 1 }] }, 'a', '/p Must match exactly one of the alternatives, but matches several.'],
    [{ not: text }, 'a', '/p Is excluded by the schema.'],
    [false, 'a', '/p Must not be given.'],
    [{ enum: [] }, 'a', '/p Is excluded by the schema.'],
    [{ contains: text }, [1], expect.stringContaining('/p')],
    [
      object({ a: text }, { additionalProperties: false }),
      { zzz: 1 },
      '/p/zzz "zzz" is not known here. Known here: "a".',
    ],
    [object({}, { dependentRequired: { a: ['b'] } }), { a: 1 }, '/p/b "b" is required.'],
    [{ type: 'integer', description: 'x' }, 'y'.repeat(200), expect.stringMatching(/…\.$/u)],
  ])('%j refuses %j', (schema, value, message) => {
    expect(problemOf(schema, value)).toContainEqual(message);
  });

  it('says so when no alternative fits', () => {
    expect(problemOf({ anyOf: [text, { type: 'null' }] }, 3)).toContain(
      '/p Must match at least one of the alternatives.',
    );
    expect(problemOf({ oneOf: [text, { type: 'null' }] }, 3)).toContain(
      '/p Must match exactly one of the alternatives.',
    );
  });

  it('follows references of both dialects, anchors, and its own identifier', () => {
    const leaf = object({ next: { $ref: '#' }, n: { type: 'integer' } });
    expect(validateArguments(leaf, { next: { next: { n: 'x' } } })).toMatchObject({
      ok: false,
      problems: [{ pointer: '/next/next/n' }],
    });
    expect(
      validateArguments(object({ a: { $ref: '#/definitions/A' } }, { definitions: { A: text } }), { a: 1 }).ok,
    ).toBe(false);
    expect(
      validateArguments(object({ a: { $ref: '#A' } }, { $defs: { x: { $anchor: 'A', ...text } } }), { a: 1 }).ok,
    ).toBe(false);
    const named = object(
      { a: { $ref: 'https://x.example/s#/$defs/A b' } },
      { $id: 'https://x.example/s', $defs: { 'A b': text } },
    );
    expect(validateArguments(named, { a: 1 }).ok).toBe(false);
    expect(validateArguments({ ...named, description: 'another server with the same $id' }, { a: 'x' })).toEqual({
      ok: true,
    });
  });

  it('reads tuples, limits and dialects as their time wrote them', () => {
    expect(problemOf({ type: 'array', items: [text] }, [1])).toEqual(['/p/0 Must be string, and is integer: 1.']);
    expect(problemOf({ type: 'number', minimum: 3, exclusiveMinimum: true }, 3)).toEqual(['/p Must be more than 3.']);
    expect(problemOf({ type: 'number', maximum: 3, exclusiveMaximum: false }, 4)).toEqual(['/p Must be at most 3.']);
    const old = object({ a: text }, { $schema: 'http://json-schema.org/draft-04/schema#' });
    expect(validateArguments(old, { a: 1 }).ok).toBe(false);
    expect(problemOf({ prefixItems: [text] }, [1])).toHaveLength(1);
  });

  it('is not taken in by what every object inherits', () => {
    expect(validateArguments(object({}, { required: ['toString'] }), {})).toMatchObject({ ok: false });
    expect(validateArguments(object({ constructor: text }), {})).toEqual({ ok: true });
  });

  it('reports at most twenty problems', () => {
    const validation = validateArguments(object({ a: { type: 'array', items: text } }), {
      a: Array.from({ length: 100 }, () => 1),
    });
    expect(messages(validation)).toHaveLength(20);
  });
});

describe('what cannot be checked', () => {
  it.each([
    [undefined, 'there is no schema'],
    ['x', 'there is no schema'],
    [{ $ref: 'https://example.com/x.json' }, 'cannot be compiled'],
    [{ $ref: '#/nowhere' }, 'cannot be compiled'],
    [{ type: 'date' }, 'cannot be compiled'],
    [{ $ref: '#' }, 'without end'],
    [object({ a: { anyOf: [{ $ref: '#/properties/a' }, text] } }), 'without end'],
    [object(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, text]))), 'too large'],
    [object({ a: { type: 'string', pattern: '^(?=x)' } }), 'patterns that cannot be matched safely: ^(?=x)'],
  ])('%# is passed, and said to be unchecked', (schema, reason) => {
    expect(validateArguments(schema, {})).toEqual({ ok: true, unchecked: expect.stringContaining(reason) });
  });

  it('still checks everything beside a pattern that it cannot match', () => {
    const schema = object({ a: { type: 'string', pattern: '^(?=x)' }, b: { type: 'string', pattern: '^y' } });
    expect(messages(validateArguments(schema, { a: 'z', b: 'z' }))).toEqual(['/b Must match the pattern "^y".']);
  });

  const doubled = (keyword: string, levels: number): object => {
    const level = (at: number): object => {
      const next = { $ref: `#/$defs/a${at + 1}` };
      return at === levels ? { type: 'string' } : { [keyword]: [next, next] };
    };
    const $defs = Object.fromEntries(Array.from({ length: levels + 1 }, (_, at) => [`a${at}`, level(at)]));
    return { type: 'object', properties: { x: { $ref: '#/$defs/a0' } }, $defs };
  };

  it.each(['anyOf', 'oneOf', 'allOf'])('gives up when %s multiplies, and only then', (keyword) => {
    expect(validateArguments(doubled(keyword, 64), { x: 1 })).toEqual({
      ok: true,
      unchecked: 'the alternatives of the schema multiply',
    });
    expect(validateArguments(doubled(keyword, 6), { x: 1 })).toMatchObject({ ok: false });
  });

  it('gives up when a schema that contains itself multiplies with the value, and checks long values', () => {
    const branch = { properties: { x: { $ref: '#/$defs/node' } }, required: ['end'] };
    const schema = { $ref: '#/$defs/node', $defs: { node: { anyOf: [branch, { ...branch, title: 'other' }] } } };
    const nested = (depth: number): object => (depth === 0 ? {} : { x: nested(depth - 1) });
    expect(validateArguments(schema, nested(40))).toMatchObject({ ok: true, unchecked: expect.any(String) });
    expect(validateArguments(schema, nested(3))).toMatchObject({ ok: false });
    const items = { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } };
    const rows = Array.from({ length: 100_000 }, (_, n) => ({ n }));
    expect(validateArguments(items, rows)).toEqual({ ok: true });
    expect(validateArguments(items, [...rows, { n: 'x' }])).toMatchObject({ ok: false });
  });

  it('refuses values that are too deep or contain themselves', () => {
    const tree = object({ next: { $ref: '#' } });
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = { next: deep };
    const loop: Record<string, unknown> = {};
    loop['next'] = loop;
    for (const value of [deep, loop]) {
      expect(validateArguments(tree, value)).toMatchObject({ ok: false, problems: [{ keyword: 'depth' }] });
    }
  });

  it('survives an object that throws when it is read', () => {
    const hostile = Object.defineProperty({}, 'type', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(validateArguments(hostile, {})).toEqual({ ok: true, unchecked: 'the schema cannot be read' });
  });
});

describe('validateResult', () => {
  it('asks for structured content only where it was promised', () => {
    expect(validateResult(undefined, undefined)).toEqual({ ok: true });
    expect(validateResult({ type: 'object' }, undefined)).toMatchObject({
      ok: false,
      problems: [{ keyword: 'structuredContent' }],
    });
    expect(validateResult({ type: 'array', items: text }, ['a'])).toEqual({ ok: true });
    expect(validateResult({ type: 'object' }, [])).toMatchObject({ ok: false });
  });
});

describe('createSchemaValidator', () => {
  it('gives the same answers after it has forgotten a schema and started its compiler anew', () => {
    const validate = createSchemaValidator({ capacity: 2 });
    for (let round = 0; round < 2; round += 1) {
      for (let limit = 0; limit < 300; limit += 1) {
        const schema = { type: 'integer', maximum: limit };
        expect(validate(schema, limit).ok).toBe(true);
        expect(validate(schema, limit + 1).ok).toBe(false);
      }
    }
  });

  it('tells patterns of different schemas apart', () => {
    const validate = createSchemaValidator();
    for (const letter of ['a', 'b', 'c']) {
      expect(validate({ type: 'string', pattern: `^${letter}$` }, letter).ok).toBe(true);
      expect(validate({ type: 'string', pattern: `^${letter}$` }, 'z').ok).toBe(false);
    }
  });
});
