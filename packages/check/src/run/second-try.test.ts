import type { CheckResult } from '@plugboard/contract';
import { memoryNetwork, MUTANTS, MutantServer, type Mutant, type Mutation } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import type { Check } from '../model/check.js';
import { runCell } from '../test-support/cell.js';

// A server that misbehaves exactly once has not shown that it breaks a MUST. The same server that misbehaves always has.

const mutationOf = ({ mutation }: Mutant): Mutation => (typeof mutation === 'function' ? mutation() : mutation);

/** The defect shows in the first message that it changes, and never again. */
const once = (mutation: Mutation): Mutation => {
  let isSpent = false;
  return {
    ...mutation,
    toClient: (message, context) => {
      if (isSpent) return message;
      const changed = mutation.toClient?.(message, context);
      isSpent = changed !== message;
      return changed;
    },
  };
};

const checkOf = ({ kills }: Mutant): Check | undefined => CHECKS.find(({ id }) => id === kills);

/** Defects of what the server says, each of which breaks a MUST: those can be played exactly once. */
const CASES = MUTANTS.filter(
  (mutant) =>
    checkOf(mutant)?.level === 'MUST' &&
    mutant.doubtful !== true &&
    Object.keys(mutationOf(mutant)).join(',') === 'toClient',
);

const verdictOn = async (mutant: Mutant): Promise<CheckResult | undefined> => {
  const { eras = [], transports = [] } = checkOf(mutant) ?? {};
  const transport = transports.find((one) => mutant.transports?.includes(one) ?? true) ?? 'stdio';
  const [era = 'modern'] = mutant.eras ?? (eras === 'both' ? [] : eras);
  const { results } = await runCell(new MutantServer(once(mutationOf(mutant))), transport, {
    checks: CHECKS.filter(({ id }) => id === mutant.kills),
    era,
    network: memoryNetwork(),
    target: { ...mutant.target },
  });
  return results.find(({ id }) => id === mutant.kills);
};

describe('a defect that shows once', () => {
  let told = 0;

  test('is played for checks of most families', () => {
    expect(new Set(CASES.map(({ kills }) => kills.slice(0, 3))).size).toBeGreaterThan(12);
  });

  test.each(CASES.map((mutant) => [mutant.kills, mutant.name, mutant] as const))(
    '%s: %s is no failure',
    async (_id, _name, mutant) => {
      const { verdict, level, detail } = (await verdictOn(mutant)) ?? {};
      expect(verdict).not.toBe('fail');
      if (level !== 'MUST' || verdict !== 'warn') return;
      told += 1;
      expect(detail).toMatch(/^Not at every try: /u);
    },
  );

  test('is told of, as a warning', () => {
    expect(told).toBeGreaterThan(25);
  });
});
