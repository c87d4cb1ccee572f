import { CHECKS, FAMILIES } from '@plugboard/check';
import { MUTANTS, type Mutant } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { repeated } from '../../support/reproduction.js';

// The first mutant of each family; `npm run kill-matrix` carries out the line of every MUST check.

const firstOf = (family: string): readonly Mutant[] => {
  const ids = new Set(CHECKS.filter((check) => check.family === family && check.level === 'MUST').map(({ id }) => id));
  return MUTANTS.filter(({ kills }) => ids.has(kills)).slice(0, 1);
};

const named = (name: string): readonly Mutant[] => MUTANTS.filter((mutant) => mutant.name === name);

const CHOSEN = [
  ...Object.keys(FAMILIES).flatMap(firstOf),
  ...named('large-body-is-an-internal-error'),
  ...named('union-in-another-order-each-time'),
];

describe('the line that repeats a failure shows it on the mutant, and not on a server without the defect', () => {
  test('is there for most families', () => {
    expect(CHOSEN.length).toBeGreaterThan(15);
  });

  test.concurrent.each(CHOSEN.map((mutant) => [mutant.kills, mutant.name, mutant] as const))(
    '%s: %s',
    async (_id, _name, mutant) => {
      const lines = await repeated(mutant);
      expect(lines).not.toEqual([]);
      expect(lines.filter(({ shows, healthyToo }) => !shows || healthyToo)).toEqual([]);
    },
  );
});
