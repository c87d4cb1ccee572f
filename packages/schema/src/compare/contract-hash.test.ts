import { isJsonObject } from '@plugboard/base';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySchema } from '../document/schema-arbitrary.contract.js';
import { contractHash } from './contract-hash.js';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
};

describe('contractHash', () => {
  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(anySchema, (inputSchema) => {
        const [there, back] = [
          { name: 'x', inputSchema },
          { inputSchema: reversed(inputSchema), name: 'x' },
        ];
        expect(contractHash(back)).toBe(contractHash(there));
        expect(contractHash(there)).toMatch(/^[0-9a-f]{64}$/u);
      }),
      { numRuns: 1000 },
    );
  });

  const base = { name: 'x', description: 'd', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } };

  it.each([
    { ...base, title: null, _meta: { at: 1 }, icons: [], annotations: { readOnlyHint: false } },
    { ...base, inputSchema: { ...base.inputSchema, required: [], additionalProperties: true, $defs: {} } },
    { ...base, inputSchema: { ...base.inputSchema, properties: { a: { type: ['string'], minLength: 0 } } } },
  ])('takes what is absent for its default: %j', (same) => {
    expect(contractHash(same)).toBe(contractHash(base));
  });

  it.each([
    { ...base, name: 'y' },
    { ...base, description: 'e' },
    { ...base, annotations: { readOnlyHint: true } },
    { ...base, outputSchema: {} },
    { ...base, inputSchema: { ...base.inputSchema, additionalProperties: false } },
    { ...base, inputSchema: { ...base.inputSchema, properties: { required: { type: 'string' } } } },
    { ...base, inputSchema: { ...base.inputSchema, default: { required: [] } } },
  ])('tells apart what promises something else: %j', (other) => {
    expect(contractHash(other)).not.toBe(contractHash(base));
  });

  it('ends on what contains itself or is too deep', () => {
    const loop: Record<string, unknown> = { type: 'object' };
    loop['items'] = loop;
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = { items: deep };
    expect(contractHash({ name: 'x', inputSchema: loop })).not.toBe(contractHash({ name: 'x', inputSchema: deep }));
  });
});
