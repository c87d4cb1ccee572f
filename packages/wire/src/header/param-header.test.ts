import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeParamHeaders, readParamHeaders } from './param-header.js';

const string = (header: unknown) => ({ type: 'string', 'x-mcp-header': header });

describe('readParamHeaders', () => {
  test('finds annotations, nested ones too', () => {
    const schema = {
      type: 'object',
      properties: {
        region: string('Region'),
        deep: { type: 'object', properties: { flag: { type: 'boolean', 'x-mcp-header': 'Flag' } } },
        plain: { type: 'string', default: { 'x-mcp-header': 'not an annotation' } },
      },
    };
    expect(readParamHeaders(schema)).toEqual({
      valid: true,
      headers: [
        { name: 'Region', path: ['region'] },
        { name: 'Flag', path: ['deep', 'flag'] },
      ],
    });
  });

  test.each([
    ['nothing', undefined],
    ['a boolean schema', true],
    ['an empty schema', {}],
    ['properties that are a list', { properties: [] }],
    ['properties that are no schemas', { properties: { a: true } }],
  ])('%s has no annotations and is fine', (_what, schema) => {
    expect(readParamHeaders(schema)).toEqual({ valid: true, headers: [] });
  });

  test.each([
    ['an empty name', { properties: { a: string('') } }],
    ['a name with a space', { properties: { a: string('A B') } }],
    ['a name with a line break', { properties: { a: string('A\r\nB') } }],
    ['a name that is no text', { properties: { a: string(7) } }],
    ['a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }],
    ['no type', { properties: { a: { 'x-mcp-header': 'A' } } }],
    ['an object', { properties: { a: { type: 'object', 'x-mcp-header': 'A' } } }],
    ['two names that differ in case', { properties: { a: string('Same'), b: string('sAME') } }],
    ['items', { properties: { a: { type: 'array', items: string('A') } } }],
    ['oneOf', { properties: { a: { oneOf: [string('A')] } } }],
    ['if', { if: { properties: { a: string('A') } } }],
    ['$defs', { $defs: { a: string('A') } }],
    ['the root', { type: 'string', 'x-mcp-header': 'A' }],
  ])('%s makes the tool invalid', (_what, schema) => {
    expect(readParamHeaders(schema)).toEqual({ valid: false, reason: expect.stringMatching(/\w/u) as string });
  });

  test('a schema nested without end is refused, not followed', () => {
    let schema: object = {};
    for (let depth = 0; depth < 5_000; depth += 1) {
      schema = depth % 2 === 0 ? { properties: { a: schema } } : { items: schema };
    }
    expect(readParamHeaders(schema).valid).toBe(false);
    let narrow: object = {};
    for (let depth = 0; depth < 5_000; depth += 1) {
      narrow = { properties: { a: narrow } };
    }
    expect(readParamHeaders(narrow).valid).toBe(false);
  });

  test('never throws, whatever stands in a schema', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (schema) => {
        expect(readParamHeaders(schema)).toHaveProperty('valid');
      }),
    );
  });
});

describe('encodeParamHeaders', () => {
  const headers = [
    { name: 'A', path: ['a'] },
    { name: 'B', path: ['deep', 'b'] },
  ];

  test.each([
    [
      { a: 'x', deep: { b: true } },
      { 'Mcp-Param-A': 'x', 'Mcp-Param-B': 'true' },
    ],
    [
      { a: -7, deep: { b: 0 } },
      { 'Mcp-Param-A': '-7', 'Mcp-Param-B': '0' },
    ],
    [{ a: 'é' }, { 'Mcp-Param-A': '=?base64?w6k=?=' }],
    [{ a: null, deep: null }, {}],
    [{ a: 1.5, deep: { b: {} } }, {}],
    [{ a: 2 ** 60 }, {}],
    [undefined, {}],
    [[], {}],
  ])('%j becomes %j', (callArguments, expected) => {
    expect(encodeParamHeaders(headers, callArguments)).toEqual(expected);
  });

  test('does not read what arguments only inherit', () => {
    expect(encodeParamHeaders([{ name: 'A', path: ['constructor', 'name'] }], {})).toEqual({});
  });
});
