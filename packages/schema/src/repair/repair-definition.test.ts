import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySchema } from '../document/schema-arbitrary.contract.js';
import { gradeTool } from '../grade/grade-tool.js';
import { repairDefinition } from './repair-definition.js';

describe('repairDefinition', () => {
  it.each([
    [
      'no root type',
      { properties: { a: { type: 'string' } } },
      { properties: { a: { type: 'string' } }, type: 'object' },
    ],
    ['an empty schema', {}, { type: 'object' }],
    ['a list as type', { type: ['object', 'null'] }, { type: 'object' }],
  ])('gives %s a root that clients accept', (_, inputSchema, expected) => {
    const { definition, reasons } = repairDefinition({ name: 'a', inputSchema });
    expect(definition.inputSchema).toEqual(expected);
    expect(reasons.map(({ rule }) => rule)).toEqual(['SCH-20']);
  });

  it('leaves out an output schema that nobody can use, and a description that is no text', () => {
    const inputSchema = { type: 'object', properties: {} };
    const outputSchema = { type: 'object', properties: [] };
    expect(repairDefinition({ name: 'a', inputSchema, outputSchema, vendor: 1 }).definition).toEqual({
      name: 'a',
      inputSchema,
      vendor: 1,
    });
    expect(repairDefinition({ name: 'a', inputSchema, description: 7 }).definition).toEqual({ name: 'a', inputSchema });
  });

  it('lists an output schema without its id, by which clients would take it for that of another tool', () => {
    const inputSchema = { type: 'object' };
    const outputSchema = { $id: 'https://example.com/a', type: 'object', properties: { a: { $ref: '#' } } };
    const { definition, reasons } = repairDefinition({ name: 'a', inputSchema, outputSchema });
    expect(definition.outputSchema).toEqual({ type: 'object', properties: { a: { $ref: '#' } } });
    expect(reasons).toEqual([]);
  });

  it('gives a sound definition back as it is, and an unusable one too', () => {
    const sound = { name: 'a', inputSchema: { type: 'object' } };
    expect(repairDefinition(sound)).toEqual({ definition: sound, reasons: [] });
    expect(repairDefinition(sound).definition).toBe(sound);
    const unusable = { name: 'a', inputSchema: { properties: [] } };
    expect(repairDefinition(unusable)).toEqual({ definition: unusable, reasons: [] });
  });

  it('leaves nothing to repair, and never makes a grade worse', () => {
    const rank = { INVALID: 0, NON_STRICT_ONLY: 1, STRICT_COMPLIANT: 2 };
    fc.assert(
      fc.property(anySchema, anySchema, (inputSchema, outputSchema) => {
        const before = { name: 'a', inputSchema, outputSchema };
        const { definition } = repairDefinition(before);
        expect(repairDefinition(definition).reasons).toEqual([]);
        expect(rank[gradeTool(definition).status]).toBeGreaterThanOrEqual(rank[gradeTool(before).status]);
      }),
      { numRuns: 300 },
    );
  });
});
