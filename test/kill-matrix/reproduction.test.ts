import { CHECKS } from '@plugboard/check';
import { MUTANTS } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { repeated } from '../support/reproduction.js';

// The line by which each failure can be repeated, carried out in a shell for every mutant of a MUST check.

const MUST = new Set(CHECKS.filter(({ level }) => level === 'MUST').map(({ id }) => id));
const CONCERNED = MUTANTS.filter(({ kills }) => MUST.has(kills));

describe('the line that repeats a failure shows it on the mutant, and not on a server without the defect', () => {
  test.concurrent.each(CONCERNED.map((mutant) => [mutant.name, mutant] as const))('%s', async (_name, mutant) => {
    const lines = await repeated(mutant);
    expect(lines).not.toEqual([]);
    expect(lines.filter(({ shows, healthyToo }) => !shows || healthyToo)).toEqual([]);
  });
});
