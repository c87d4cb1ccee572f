import { PassThrough } from 'node:stream';
import { MutantServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import type { Child, Launch } from '../connection/child.js';
import { checkTarget } from '../target/target.js';
import { runChecks } from './run-checks.js';

const START_MS = 300;
const BUSY_MS = 900;

/** Its input reaches the process late, as when the machine is too busy to start it. */
const late = (child: Child): Child => {
  const stdin = new PassThrough();
  setTimeout(() => stdin.pipe(child.stdin), BUSY_MS);
  const { pid, stdout, stderr, exited } = child;
  return { pid, stdin, stdout, stderr, exited, kill: (signal) => child.kill(signal) };
};

/** Every start is late but the first ones, by which the run knows the server. */
const busy = (server: MutantServer): Launch => {
  let starts = 0;
  return () => {
    starts += 1;
    return starts <= 2 ? server.launch() : late(server.launch());
  };
};

const judge = async (server: MutantServer, only: readonly string[]) => {
  const budgets = { startMs: START_MS, requestMs: START_MS };
  const target = checkTarget.parse({ command: ['in-process'], era: 'legacy', only, seed: 1, budgets });
  const { results } = await runChecks(target, { checks: CHECKS, version: '0.0.0', launch: busy(server) });
  await server.close();
  return results.map(({ id, verdict }) => `${id} ${verdict}`);
};

describe('a start that takes long on a busy machine', () => {
  test('does not count against the server', async () => {
    const server = new MutantServer({ options: (options) => ({ ...options, eras: 'legacy' }) });
    const ids = ['LIF-02', 'LIF-03', 'LIF-04', 'STD-01', 'CAN-05'];
    expect((await judge(server, ids)).filter((one) => !one.startsWith('LIF-29'))).toEqual(
      ids.map((id) => `${id} pass`),
    );
  });

  test('silence counts when a later process has answered', async () => {
    const server = new MutantServer({
      options: (options) => ({ ...options, eras: 'legacy' }),
      toServer: (message) => (JSON.stringify(message).includes('1999-01-01') ? undefined : message),
    });
    expect(await judge(server, ['LIF-03'])).toContain('LIF-03 fail');
  });
});
