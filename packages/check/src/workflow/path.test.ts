import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { broken } from './assert.js';
import { evaluate } from './path.js';
import { fill } from './template.js';

const result = {
  content: [
    { type: 'text', text: '{"items":[{"id":7}]}' },
    { type: 'text', text: 'id: 42;\nrest' },
  ],
  structuredContent: { total: 3, 'odd key': true },
};

describe('a path', () => {
  test.each([
    ['', result],
    ['structuredContent.total', 3],
    ['structuredContent["odd key"]', true],
    ["structuredContent['odd key']", true],
    ['content[-1].type', 'text'],
    ['content | length', 2],
    ['content[0].text | json | .items[0].id', 7],
    ['content[1].text | after "id: " | before ";" | number', 42],
    ['content[1].text | lines | length', 2],
    ['structuredContent | text', '{"total":3,"odd key":true}'],
    ['content[9].text', undefined],
    ['nothing.at.all | json', undefined],
    ['structuredContent.__proto__', undefined],
    ['content.constructor', undefined],
    ['content[1].text | after "nowhere"', undefined],
  ])('%s', (path, expected) => {
    expect(evaluate(path, result)).toEqual(expected);
  });

  test.each(['a b', 'a..b', 'a[x]', 'a | eval', 'a | require("fs")', 'a()'])('%s is refused', (path) => {
    expect(() => evaluate(path, { a: 1 })).toThrow(/is not a (?:path|filter)/u);
  });

  test('reads any value back that was put at a plain path, and never anything inherited', () => {
    const key = fc.stringMatching(/^[a-z]\w{0,5}$/u);
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 5 }), fc.jsonValue(), (keys, value) => {
        const nested = keys.reduceRight<unknown>((inner, one) => ({ [one]: inner }), value);
        expect(evaluate(keys.join('.'), nested)).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)), (name) => {
        expect(evaluate(`["${name}"]`, {})).toBeUndefined();
      }),
    );
  });
});

describe('a template', () => {
  test('is filled in everywhere, with values of their own type', () => {
    const variables = { id: 7, user: { name: 'Ada' }, list: [1, 2] };
    expect(fill({ a: '${id}', b: ['x-${id}-${user.name}'], c: '${list}', d: '${user | quote}' }, variables)).toEqual({
      a: 7,
      b: ['x-7-Ada'],
      c: [1, 2],
      d: '{"name":"Ada"}',
    });
  });

  test('names what has no value, and does not fill in what it filled in', () => {
    expect(() => fill('${missing.part}', {})).toThrow('${missing.part} has no value.');
    expect(fill('${text}!', { text: '${secret}', secret: 's' })).toBe('${secret}!');
  });

  test('does not grow without end', () => {
    expect(() => fill('${a}'.repeat(50), { a: 'x'.repeat(100_000) })).toThrow('longer than');
  });
});

describe('an assertion', () => {
  test.each([
    [{ path: 'structuredContent.total', equals: 3 }],
    [{ path: 'structuredContent', equals: { 'odd key': true, total: 3 } }],
    [
      {
        path: 'structuredContent.total',
        notEquals: 4,
        greaterThan: 2,
        lessThan: 4,
        oneOf: [1, 3],
        type: 'number' as const,
      },
    ],
    [{ path: 'content[1].text', contains: '42', notContains: '43' }],
    [{ path: 'content', contains: { type: 'text', text: 'id: 42;\nrest' } }],
    [{ path: 'content[2]', exists: false }],
    [{ path: 'structuredContent.total', equals: '${three}' }],
    [{ path: '', schema: { type: 'object', required: ['content'] } }],
  ])('%j holds', (assertion) => {
    expect(broken(assertion, result, { three: 3 })).toEqual([]);
  });

  test.each([
    [{ path: 'structuredContent.total', equals: 4 }, 'structuredContent.total is 3, but must be: equals 4.'],
    [{ path: 'nothing', exists: true }, 'nothing is missing, but must be: exists true.'],
    [{ path: 'content', greaterThan: 1 }, 'greaterThan 1'],
    [{ path: 'structuredContent', type: 'array' as const }, 'type array'],
    [{ path: 'structuredContent.total', schema: { type: 'string' } }, 'schema'],
    [{ path: 'content[1].text', contains: '43' }, 'contains 43'],
  ])('%j does not', (assertion, why) => {
    expect(broken(assertion, result, {}).join(' ')).toContain(why);
  });
});
