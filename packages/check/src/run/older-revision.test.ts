import type { CheckResult } from '@plugboard/contract';
import { memoryNetwork, MUTANTS, MutantServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import { runCell } from '../test-support/cell.js';

/** What the check says of the mutant that it kills, when the server knows these revisions only. */
const verdictOn = async (id: string, revisions: readonly string[]): Promise<CheckResult | undefined> => {
  const mutant = MUTANTS.find(({ kills }) => kills === id);
  if (mutant === undefined || typeof mutant.mutation === 'function') throw new Error(`No plain mutant of ${id}.`);
  const { mutation } = mutant;
  const aged = new MutantServer({
    ...mutation,
    options: (options) => ({ ...(mutation.options?.(options) ?? options), revisions }),
  });
  const { results } = await runCell(aged, 'streamable-http', {
    checks: CHECKS.filter((check) => check.id === id),
    era: 'legacy',
    network: memoryNetwork(),
    target: { ...mutant.target },
  });
  return results.find((result) => result.id === id);
};

describe('a server that agreed on a revision without the demand', () => {
  test.each([
    ['TOL-12', '2025-03-26', '2025-06-18', 'ADVICE'],
    ['LIF-10', '2025-03-26', '2025-06-18', 'SHOULD'],
  ])('%s is no failure at %s, and is one at %s', async (id, older, since, level) => {
    const before = await verdictOn(id, [older]);
    expect([before?.verdict, before?.level]).toEqual(['warn', level]);
    expect(before?.detail).toContain(`${since} demands this; the server agreed on ${older}.`);
    const after = await verdictOn(id, [since]);
    expect([after?.verdict, after?.level]).toEqual(['fail', 'MUST']);
    expect(after?.detail).not.toContain('demands this');
  });
});
