import { describe, expect, it } from 'vitest';
import { toLegacyTool, toLegacyToolResult, toModernTool } from './structured-output.js';

const list = { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } };

describe('structured output across eras', () => {
  it('wraps a result schema whose root is no object, with references that still find their place', () => {
    expect(toLegacyTool({ name: 'a', outputSchema: list })).toEqual({
      name: 'a',
      outputSchema: {
        type: 'object',
        properties: {
          result: { type: 'array', items: { $ref: '#/properties/result/$defs/n' }, $defs: { n: { type: 'number' } } },
        },
        required: ['result'],
      },
    });
  });

  it('leaves objects and tools without a schema as they are', () => {
    const tool = { name: 'a', outputSchema: { type: 'object' } };
    expect(toLegacyTool(tool)).toBe(tool);
    expect(toLegacyTool({ name: 'b' })).toEqual({ name: 'b' });
  });

  it.each([
    ['a list, as its schema says', [1], list, { result: [1] }],
    ['an object under a schema that is wrapped', { a: 1 }, { anyOf: [] }, { result: { a: 1 } }],
    ['an object, as its schema says', { a: 1 }, { type: 'object' }, { a: 1 }],
    ['a number without any schema', 7, undefined, { result: 7 }],
    ['an object without any schema', { a: 1 }, undefined, { a: 1 }],
    ['null without any schema', null, undefined, { result: null }],
  ])('%s', (_, structuredContent, schema, expected) => {
    expect(toLegacyToolResult({ content: [], structuredContent }, schema)).toEqual({
      content: [],
      structuredContent: expected,
    });
  });

  it('adds nothing to results that have none, and takes legacy task hints away', () => {
    expect(toLegacyToolResult({ content: [] }, list)).toEqual({ content: [] });
    expect(toModernTool({ name: 'a', execution: { taskSupport: 'optional' } })).toEqual({ name: 'a' });
    const plain = { name: 'a' };
    expect(toModernTool(plain)).toBe(plain);
  });
});
