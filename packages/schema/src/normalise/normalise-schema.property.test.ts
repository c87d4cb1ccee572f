import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GradeStatus } from '@plugboard/contract';
import { anySchema, tidySchema, toolSchema } from '../document/schema-arbitrary.contract.js';
import { gradeSchema } from '../grade/grade-schema.js';
import { normaliseSchema } from './normalise-schema.js';

const RANK: Readonly<Record<GradeStatus, number>> = { INVALID: 0, NON_STRICT_ONLY: 1, STRICT_COMPLIANT: 2 };

it('never throws, changes nothing the second time, never lowers the grade, leaves its input alone', () => {
  fc.assert(
    fc.property(fc.oneof(anySchema, toolSchema, tidySchema), (schema) => {
      const before = structuredClone(schema);
      const once = normaliseSchema(schema);
      expect(schema).toEqual(before);
      const twice = normaliseSchema(once.schema);
      expect(twice.schema).toEqual(once.schema);
      expect(twice.changes).toEqual([]);
      expect(RANK[gradeSchema(once.schema).status]).toBeGreaterThanOrEqual(RANK[gradeSchema(schema).status]);
    }),
    { numRuns: 5000 },
  );
});
