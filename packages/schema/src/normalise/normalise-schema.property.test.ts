import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GradeStatus } from '@plugboard/contract';
import { anySchema, tidySchema, toolSchema } from '../document/schema-arbitrary.contract.js';
import { gradeSchema } from '../grade/grade-schema.js';
import { normaliseSchema } from './normalise-schema.js';

const RANK: Readonly<Record<GradeStatus, number>> = { INVALID: 0, NON_STRICT_ONLY: 1, STRICT_COMPLIANT: 2 };

// thousands of runs on a busy machine
const PATIENCE = 120_000;

it(
  'never throws, changes nothing the second time, never lowers the grade, leaves its input alone',
  { timeout: PATIENCE },
  () => {
    const improved = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(anySchema, toolSchema, tidySchema), (schema) => {
        // texts instead of deep comparison: ten thousand runs must stay quick
        const text = JSON.stringify(schema);
        const once = normaliseSchema(schema);
        expect(JSON.stringify(schema)).toBe(text);
        const twice = normaliseSchema(once.schema);
        expect(JSON.stringify(twice.schema)).toBe(JSON.stringify(once.schema));
        expect(twice.changes).toHaveLength(0);
        const [before, after] = [gradeSchema(schema).status, gradeSchema(once.schema).status];
        expect(RANK[after]).toBeGreaterThanOrEqual(RANK[before]);
        improved.add(`${before} → ${after}`);
      }),
      { numRuns: 5000 },
    );
    // the generator must reach every grade, or the property says nothing
    expect([...improved].sort()).toEqual([
      'INVALID → INVALID',
      'NON_STRICT_ONLY → NON_STRICT_ONLY',
      'NON_STRICT_ONLY → STRICT_COMPLIANT',
      'STRICT_COMPLIANT → STRICT_COMPLIANT',
    ]);
  },
);
