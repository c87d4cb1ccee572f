import { CHECKS, type Check } from '@plugboard/check';
import type { CheckReport, CheckResult, CheckTransport } from '@plugboard/contract';
import { MUTANTS, mutantServer, type Mutant } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { runCell } from '../../packages/check/src/test-support/cell.js';

// The whole square: every mutant against every MUST check, over one transport. It takes minutes of CPU time, so it is no
// part of `npm test`, where a mutant meets its own family and the smoke checks of the others. Run: npm run kill-matrix

const MUST = CHECKS.filter(({ level }) => level === 'MUST');
const BUDGETS = { quietMs: 40, requestMs: 4_000, concurrency: 8 };

/** The first transport on which both the check and the defect are. */
const transportOf = ({ kills, transports }: Mutant): CheckTransport => {
  const check = CHECKS.find(({ id }) => id === kills);
  return check?.transports.find((transport) => transports?.includes(transport) ?? true) ?? 'streamable-http';
};

/** What a defect may turn red besides: the check that sees every message, and those that the mutant names. */
const isRelated = ({ kills, alsoKills = [] }: Mutant, id: string): boolean =>
  id === kills || id === 'RPC-01' || alsoKills.includes(id);

/** A server was examined, well or badly; on a busy machine its first answer may come too late for that. */
const isExamined = ({ outcome }: CheckReport): boolean => outcome !== 'unreachable' && outcome !== 'not-examined';

describe('every mutant against every MUST check', () => {
  test.concurrent.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('%s', async (_name, mutant) => {
    const judged = (checks: readonly Check[], budgets: object): Promise<CheckReport> => {
      const target = { budgets: { ...BUDGETS, ...budgets }, ...mutant.target };
      return runCell(mutantServer(mutant), transportOf(mutant), { checks, target });
    };
    const unrelatedIn = ({ results }: CheckReport): readonly CheckResult[] =>
      results.filter(({ id, verdict }) => verdict === 'fail' && !isRelated(mutant, id));
    const first = await judged(MUST, {});
    // A pause of the machine is no defect of the mutant: what failed is asked once more, and patiently.
    const failed = new Set(unrelatedIn(first).map(({ id }) => id));
    const again = MUST.filter(({ id }) => failed.has(id) || !isExamined(first));
    const last = again.length === 0 ? first : await judged(again, { requestMs: 20_000 });
    expect(isExamined(last) ? 'examined' : last.reason).toBe('examined');
    expect(unrelatedIn(last).map(({ id, era, detail }) => `${id} ${era}: ${detail ?? ''}`)).toEqual([]);
  });
});
