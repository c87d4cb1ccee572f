import type { CheckTransport } from '@plugboard/contract';
import { guardedServer, referenceServer, taskingServer, type Eras } from '@plugboard/testing';
import { expect, test } from 'vitest';
import { runCell, type CellOptions } from '../test-support/cell.js';
import { CHECKS } from './registry.js';

// The tests of each family run inside one process. Here the same checks meet the reference over real sockets.

/** Families that want a reference of their own. */
const APART = new Set(['authorization', 'hub', 'providers', 'security', 'tasks']);

const failuresOf = async (
  server: ReturnType<typeof referenceServer>,
  transport: CheckTransport,
  options: CellOptions,
): Promise<readonly string[]> => {
  const { results, outcome } = await runCell(server, transport, {
    ...options,
    target: { budgets: { requestMs: 15_000 } },
  });
  expect(['unreachable', 'not-examined']).not.toContain(outcome);
  expect(results.some(({ verdict }) => verdict === 'pass')).toBe(true);
  return results
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id, era, verdict, detail }) => `${id} ${era}: ${verdict} (${detail ?? ''})`);
};

test.each<readonly [CheckTransport, Eras]>([
  ['streamable-http', 'both'],
  ['sse', 'both'],
  ['streamable-http', 'modern'],
  ['streamable-http', 'legacy'],
])('the reference passes over real sockets: %s, eras: %s', async (transport, eras) => {
  const checks = CHECKS.filter(({ family }) => !APART.has(family));
  expect(await failuresOf(referenceServer(eras), transport, { checks })).toEqual([]);
});

test.each([
  ['tasks', taskingServer],
  ['authorization', guardedServer],
] as const)('the reference of %s passes over real sockets', async (name, reference) => {
  const checks = CHECKS.filter(({ family }) => family === name);
  expect(await failuresOf(reference('both'), 'streamable-http', { checks })).toEqual([]);
});
