import { MUTANTS, mutantServer } from '@plugboard/testing';
import { expect, test } from 'vitest';
import { runChecks } from '../../run/run-checks.js';
import { checkTarget } from '../../target/target.js';
import { CHECKS } from '../registry.js';

// Nothing is allowed here and the run is not intrusive: the tools that ask are read-only and take no arguments.

test.each(['list-asks-for-input', 'input-required-without-a-word', 'state-not-verified'])(
  '%s is found by a run that calls nothing but what only reads',
  async (name) => {
    const mutant = MUTANTS.find((one) => one.name === name);
    if (mutant === undefined) throw new Error(`There is no mutant ${name}.`);
    const server = mutantServer(mutant);
    try {
      const { url } = await server.listenHttp();
      const budgets = { quietMs: 20, requestMs: 10_000, concurrency: 8 };
      const target = checkTarget.parse({ url, transport: 'streamable-http', seed: 1, only: [mutant.kills], budgets });
      expect(target.tier).toBe('standard');
      const { results } = await runChecks(target, { checks: CHECKS, version: '0.0.0' });
      expect(results.find(({ id }) => id === mutant.kills)).toMatchObject({ verdict: 'fail' });
    } finally {
      await server.close();
    }
  },
);
