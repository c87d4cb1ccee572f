import { isJsonObject } from '@plugboard/base';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTool, isAccepted } from '../profile/check-against-profile.js';
import { PROFILE_IDS, PROFILES, type ProfileId } from '../profile/registry.js';
import { validateArguments } from '../validate/validate.js';
import { adaptTool, type Adaptation } from './adapt-tool.js';
import { adaptArguments, restoreArguments } from './restore-plan.js';
import { toolSchema } from './schema-arbitrary.contract.js';
import { argumentsFor } from './value-arbitrary.contract.js';

/** Generous: the machine that runs this may have other things to do. */
const DEADLINE = 180_000;
const ORACLE_RUNS = 1000;
const MAPPING_RUNS = 250;
const STRICT = ['openai-strict', 'anthropic-strict', 'gemini', 'anthropic', 'openai'] as const;

/** A demanding profile beside a lenient one, so that every profile is met often. */
const pairs = PROFILE_IDS.flatMap((id, index) => [[id, STRICT[index % STRICT.length] ?? id] as const]);

const toolWith = (inputSchema: unknown) => ({ name: 'a_tool', description: 'Does it.', inputSchema });

const effects = (adaptation: Adaptation) => new Set(adaptation.changes.map(({ effect }) => effect));

const sample = (schema: unknown, seed: number): readonly unknown[] =>
  fc.sample(argumentsFor(schema), { numRuns: 3, seed });

const forEachSchema = (
  ids: readonly ProfileId[],
  check: (adaptation: Adaptation, seed: number, schema: unknown) => void,
) => {
  fc.assert(
    fc.property(toolSchema, fc.constantFrom(...ids), fc.nat(), (schema, id, seed) => {
      check(adaptTool(toolWith(schema), id), seed, schema);
    }),
    { numRuns: MAPPING_RUNS },
  );
};

describe('adaptation of generated schemas', () => {
  it(
    'never throws, and the profile takes what it produced',
    () => {
      fc.assert(
        fc.property(toolSchema, fc.constantFrom(...pairs), (schema, ids) => {
          for (const id of ids) {
            const { verdict, definition, reasons, changes } = adaptTool(toolWith(schema), id);
            if (verdict === 'rejected') expect(reasons.length).toBeGreaterThan(0);
            else expect(isAccepted(checkTool(definition, PROFILES[id]))).toBe(true);
            if (verdict === 'rewritten') expect(changes.length).toBeGreaterThan(0);
          }
        }),
        { numRuns: ORACLE_RUNS },
      );
    },
    DEADLINE,
  );

  it(
    'survives anything that JSON can say',
    () => {
      fc.assert(
        fc.property(fc.jsonValue(), fc.constantFrom(...PROFILE_IDS), (schema, id) => {
          const { verdict, definition, restore } = adaptTool(toolWith(schema), id);
          if (verdict !== 'rejected') expect(isAccepted(checkTool(definition, PROFILES[id]))).toBe(true);
          expect(restore({}).ok).toBeTypeOf('boolean');
        }),
        { numRuns: ORACLE_RUNS },
      );
    },
    DEADLINE,
  );

  it(
    'maps arguments for the adapted schema back to what the original takes',
    () => {
      let judged = 0;
      forEachSchema(STRICT, (adaptation, seed) => {
        if (adaptation.verdict !== 'rewritten') return;
        const found = effects(adaptation);
        for (const args of sample(adaptation.definition.inputSchema, seed)) {
          const restored = restoreArguments(adaptation.plan, args);
          if (restored.ok) expect(validateArguments(adaptation.plan.schema, restored.args).ok).toBe(true);
          // where constraints are only described or values are text, a model can still be wrong
          if (found.has('wider') || found.has('encoded')) continue;
          if (!validateArguments(adaptation.definition.inputSchema, args).ok) continue;
          judged += 1;
          expect(restored).toMatchObject({
            ok: true,
          });
        }
      });
      expect(judged).toBeGreaterThan(MAPPING_RUNS / 8);
    },
    DEADLINE,
  );

  it(
    'brings every argument of the original through and back, exactly, unless it says otherwise',
    () => {
      let judged = 0;
      forEachSchema(STRICT, (adaptation, seed, schema) => {
        if (adaptation.verdict !== 'rewritten' || effects(adaptation).has('narrower')) return;
        for (const args of sample(schema, seed)) {
          if (!isJsonObject(args) || !validateArguments(schema, args).ok) continue;
          const there = adaptArguments(adaptation.plan, args);
          const back = restoreArguments(adaptation.plan, there);
          judged += 1;
          expect(back).toEqual({ ok: true, args });
        }
      });
      expect(judged).toBeGreaterThan(MAPPING_RUNS / 4);
    },
    DEADLINE,
  );
});
