import { CHECKS, type Check } from '@plugboard/check';
import type { CheckResult, CheckTransport } from '@plugboard/contract';
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

describe('every mutant against every MUST check', () => {
  test.concurrent.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('%s', async (_name, mutant) => {
    const unrelated = async (checks: readonly Check[], budgets: object): Promise<readonly CheckResult[]> => {
      const target = { budgets: { ...BUDGETS, ...budgets }, ...mutant.target };
      const { results, outcome } = await runCell(mutantServer(mutant), transportOf(mutant), { checks, target });
      expect(['unreachable', 'not-examined']).not.toContain(outcome);
      return results.filter(({ id, verdict }) => verdict === 'fail' && !isRelated(mutant, id));
    };
    const failed = new Set((await unrelated(MUST, {})).map(({ id }) => id));
    // A pause of the machine is no defect of the mutant: what failed is asked once more, and patiently.
    const again = MUST.filter(({ id }) => failed.has(id));
    const red = again.length === 0 ? [] : await unrelated(again, { requestMs: 20_000 });
    expect(red.map(({ id, era, detail }) => `${id} ${era}: ${detail ?? ''}`)).toEqual([]);
  });
});
