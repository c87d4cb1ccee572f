import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { anySchema, tidySchema, toolSchema } from '../document/schema-arbitrary.contract.js';
import { lookUp } from '../document/pointer.js';
import { gradeSchema } from './grade-schema.js';
import { gradeTool } from './grade-tool.js';
import { isRuleId, RULES } from './rule.js';

const STATUSES = ['STRICT_COMPLIANT', 'NON_STRICT_ONLY', 'INVALID'];

// thousands of runs on a busy machine
const PATIENCE = 120_000;

it('grades whatever looks like a schema, and every reason points at something', { timeout: PATIENCE }, () => {
  fc.assert(
    fc.property(fc.oneof(anySchema, toolSchema, tidySchema), (schema) => {
      const { status, reasons } = gradeSchema(schema);
      const gravest = Math.max(
        0,
        ...reasons.map(({ rule }) => (isRuleId(rule) ? STATUSES.indexOf(RULES[rule].effect) : 9)),
      );
      expect(STATUSES[gravest]).toBe(status);
      for (const { pointer, rule } of reasons) {
        // what is missing is reported where it should be
        if (rule !== 'SCH-31' && rule !== 'SCH-11') expect(lookUp(schema, pointer)).not.toBeUndefined();
      }
      expect(STATUSES).toContain(gradeSchema(schema, { profile: 'letta' }).status);
    }),
    { numRuns: 4000 },
  );
});

it('grades anything else too', { timeout: PATIENCE }, () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
      (value) => {
        expect(STATUSES).toContain(gradeSchema(value).status);
        expect(STATUSES).toContain(gradeSchema(value, { profile: 'letta' }).status);
        expect(STATUSES).toContain(
          gradeTool({ name: 'x', inputSchema: value, outputSchema: value, description: value }).status,
        );
      },
    ),
    { numRuns: 1000 },
  );
});
