import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { covers, differencesBetween, inWords } from './difference.js';
import { erasToCompare } from './other-side.js';
import { definitionEssence, essence, formOf } from './permitted.js';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
};

describe('differences', () => {
  test('there are none between a value and itself, however its members are ordered', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(differencesBetween('', value, reversed(value))).toEqual([]);
      }),
    );
  });

  test('there are some exactly when the values are not equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const found = differencesBetween('', one, other).length > 0;
        expect(found).toBe(!isDeepEqual(one, other));
      }),
    );
  });

  test('see a member that every object inherits', () => {
    const found = differencesBetween('', JSON.parse('{"toString":1}'), {});
    expect(found).toEqual([{ path: 'toString', one: 1, other: undefined }]);
  });

  test('say where', () => {
    const found = differencesBetween('tools', { a: { x: [1, { y: 2 }] } }, { a: { x: [1, { y: 3 }] }, b: 1 });
    expect(found.map(inWords)).toEqual(['tools/a/x/1/y: 2 here, 3 there.', 'tools/b: missing here, 1 there.']);
  });

  test('are covered by the address of what is above them, part by part', () => {
    expect(covers('tools/*/description', 'tools/echo/description')).toBe(true);
    expect(covers('tools/*/inputSchema', 'tools/echo/inputSchema/properties/a')).toBe(true);
    expect(covers('tools/a.c', 'tools/abc')).toBe(false);
    expect(covers('tools/*', 'prompts/echo')).toBe(false);
    expect(covers('tools/echo/desc', 'tools/echo/description')).toBe(false);
  });
});

const isDeepEqual = (one: unknown, other: unknown): boolean => {
  try {
    expect(one).toStrictEqual(other);
    return true;
  } catch {
    return false;
  }
};

test('what belongs to an era or to a carrier is left out', () => {
  const result = {
    resultType: 'complete',
    ttlMs: 1,
    cacheScope: 'x',
    _meta: {},
    content: [{ type: 'text', _meta: {} }],
  };
  expect(essence(result)).toEqual({ content: [{ type: 'text' }] });
  expect(essence(undefined)).toBeUndefined();
  const tool = { name: 'a', execution: { taskSupport: 'optional' }, _meta: {} };
  expect(definitionEssence(tool, true)).toEqual({ name: 'a' });
  expect(definitionEssence(tool, false)).toEqual({ name: 'a', execution: { taskSupport: 'optional' } });
});

test('a form has types in place of values', () => {
  expect(formOf({ a: [1, 2], b: null, c: 'x', d: [] })).toEqual({ a: ['number'], b: 'null', c: 'string', d: [] });
});

test('eras are compared with themselves, and crossed only when there is no other way', () => {
  expect(erasToCompare(['legacy', 'modern'], ['legacy', 'modern'])).toEqual([
    ['legacy', 'legacy'],
    ['modern', 'modern'],
  ]);
  expect(erasToCompare(['legacy', 'modern'], ['legacy'])).toEqual([['legacy', 'legacy']]);
  expect(erasToCompare(['legacy'], ['modern'])).toEqual([['legacy', 'modern']]);
  expect(erasToCompare([], ['modern'])).toEqual([]);
});
