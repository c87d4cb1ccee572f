import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { tidySchema, toolSchema } from '../document/schema-arbitrary.contract.js';
import { createSchemaValidator, type Validation } from '../validate/schema-validator.js';
import { normaliseSchema } from './normalise-schema.js';

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('a', 'b', 1, 1.5, null, true),
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { maxKeys: 3 }),
  ),
})).any;

const passes = (validation: Validation): boolean => validation.ok && validation.unchecked === undefined;

// each run compiles two schemas
const PATIENCE = 120_000;

it('accepts nothing that the original refuses', { timeout: PATIENCE }, () => {
  const validate = createSchemaValidator({ capacity: 10 });
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.oneof(tidySchema, toolSchema),
      fc.array(value, { minLength: 20, maxLength: 20 }),
      (schema, values) => {
        const { schema: normalised } = normaliseSchema(schema);
        for (const candidate of values.filter((one) => passes(validate(normalised, one)))) {
          accepted += 1;
          expect(validate(schema, candidate)).toMatchObject({ ok: true });
        }
      },
    ),
    { numRuns: 150 },
  );
  expect(accepted).toBeGreaterThan(50);
});
