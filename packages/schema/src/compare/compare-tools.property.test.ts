import { isJsonObject } from '@plugboard/base';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonSchema } from '../document/json-schema.js';
import { mapSchema } from '../document/map-schema.js';
import { anySchema, tidySchema } from '../document/schema-arbitrary.contract.js';
import { createSchemaValidator } from '../validate/schema-validator.js';
import { compareTools } from './compare-tools.js';
import { contractHash } from './contract-hash.js';

// each run compiles two schemas
const PATIENCE = 120_000;

const EDITS: readonly Record<string, unknown>[] = [
  { type: 'string' },
  { type: ['string', 'null'] },
  { type: 'integer' },
  { enum: ['a', 1] },
  { properties: { a: { type: 'string' }, b: { type: 'number' } } },
  { required: ['a'] },
  { additionalProperties: false },
  { additionalProperties: { type: 'string' } },
  { anyOf: [{ type: 'string' }, { type: 'object' }] },
  { items: { type: 'integer' } },
  { minLength: 1, minProperties: 1 },
  { not: { type: 'null' } },
];

interface Edit {
  readonly at: number;
  readonly add: Record<string, unknown>;
  readonly drop: string;
}

/** The schema with one of its parts written differently. */
const edited = (schema: JsonSchema, { at, add, drop }: Edit): JsonSchema => {
  let index = 0;
  return mapSchema(schema, (node) => {
    index += 1;
    if (index !== at) return node;
    return { ...Object.fromEntries(Object.entries(node).filter(([keyword]) => keyword !== drop)), ...add };
  });
};

/** Members that are not declared are nobody's promise, so they are left out of the question. */
const closed = (schema: JsonSchema): JsonSchema =>
  mapSchema(schema, (node) => (Object.hasOwn(node, 'properties') ? { additionalProperties: false, ...node } : node));

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.integer({ min: 1, max: 6 }),
  add: fc.constantFrom({}, ...EDITS),
  drop: fc.constantFrom('type', 'properties', 'required', 'additionalProperties', 'enum', 'anyOf', '$ref', 'items', ''),
});

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('a', '', 1, 1.5, null, true),
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { maxKeys: 3 }),
  ),
})).any;

const tool = (inputSchema: unknown, outputSchema?: unknown) => ({ name: 'x', inputSchema, outputSchema });

it('reports something whenever the hashes differ, and nothing when they do not', { timeout: PATIENCE }, () => {
  fc.assert(
    fc.property(fc.oneof(anySchema, tidySchema), anySchema, edit, (schema, other, change) => {
      const variants = isJsonObject(schema) ? [schema, other, edited(schema, change)] : [other];
      for (const variant of variants) {
        const [before, after] = [tool(schema), tool(variant)];
        expect(compareTools(before, after).length > 0).toBe(contractHash(before) !== contractHash(after));
      }
    }),
    { numRuns: 500 },
  );
});

it('calls a change breaking when anything that was valid is not any more', { timeout: PATIENCE }, () => {
  const validate = createSchemaValidator({ capacity: 10 });
  let harmless = 0;
  const isBreaking = (before: unknown, after: unknown): boolean =>
    compareTools(before as never, after as never).some(({ kind }) => kind === 'breaking');
  fc.assert(
    fc.property(tidySchema, edit, fc.array(value, { minLength: 15, maxLength: 15 }), (schema, change, values) => {
      const [before, after] = [closed(schema), closed(edited(schema, change))];
      const inputBreaks = isBreaking(tool(before), tool(after));
      const outputBreaks = isBreaking(tool({}, before), tool({}, after));
      for (const candidate of values) {
        const [old, now] = [validate(before, candidate), validate(after, candidate)];
        if ((old.ok && old.unchecked !== undefined) || (now.ok && now.unchecked !== undefined)) return;
        if (!inputBreaks && old.ok) expect(now).toEqual({ ok: true });
        if (!outputBreaks && now.ok) expect(old).toEqual({ ok: true });
        harmless += inputBreaks && outputBreaks ? 0 : 1;
      }
    }),
    { numRuns: 300 },
  );
  expect(harmless).toBeGreaterThan(100);
});
