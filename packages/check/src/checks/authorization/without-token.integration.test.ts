import { guardedServer } from '@plugboard/testing';
import { expect, test } from 'vitest';
import { runChecks } from '../../run/run-checks.js';
import { checkTarget } from '../../target/target.js';
import { CHECKS } from '../registry.js';

test('a server that wants a token is judged by what a stranger sees of it', async () => {
  await using server = guardedServer();
  const { url } = await server.listenHttp();
  const target = checkTarget.parse({ url, transport: 'streamable-http', budgets: { quietMs: 20 } });
  const { results, outcome } = await runChecks(target, { checks: CHECKS, version: '0.0.0' });
  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]));
  expect(outcome).toBe('incomplete');
  expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(['AUT-01', 'AUT-04', 'AUT-07', 'AUT-15'].map((id) => verdicts.get(id))).toEqual([
    'pass',
    'pass',
    'pass',
    'pass',
  ]);
  expect(['TOL-01', 'LIF-01', 'SEC-01'].map((id) => verdicts.get(id))).toEqual([
    'not-verified',
    'not-verified',
    'not-verified',
  ]);
});
