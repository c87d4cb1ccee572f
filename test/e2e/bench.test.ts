import { benchReport } from '@plugboard/contract';
import { fakeServer } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { ended, run, start, temporaryDirectory, textOf } from './cli-process.js';

it('bench spreads its callers over worker processes, and merges what they measured', async () => {
  const server = fakeServer({ tools: ['echo'] });
  onTestFinished(() => server.close());
  const { url } = await server.listenHttp();
  const home = await temporaryDirectory();
  const plan = ['--scenario', 'steady', '--duration', '0.5', '--warm-up', '0.1', '--concurrency', '5'];
  const { code, stdout, stderr } = await run(['bench', url, '--json', '--tool', 'echo', '--workers', '2', ...plan], {
    home,
  });
  expect([code, stderr]).toEqual([0, '']);
  const report = benchReport.parse(JSON.parse(stdout));
  expect(report).toMatchObject({ outcome: 'passed', violations: [], generator: { workers: 2 } });
  const [steady] = report.scenarios[0]?.phases ?? [];
  expect(steady).toMatchObject({ concurrency: 5, failed: 0 });
  expect(steady?.uncorrected.count).toBe(steady?.calls);
  // One more, and those of the warm-up.
  expect(server.counters.executed('echo')).toBeGreaterThan(steady?.calls ?? 0);
});

it('bench with workers ends at Ctrl-C with what it has measured, and leaves no worker behind', async () => {
  const server = fakeServer({ tools: ['echo'] });
  onTestFinished(() => server.close());
  const { url } = await server.listenHttp();
  const home = await temporaryDirectory();
  const plan = ['--scenario', 'steady', '--duration', '600', '--warm-up', '0', '--concurrency', '4', '--workers', '2'];
  const child = start(['bench', url, '--json', '--tool', 'echo', ...plan], { home });
  const [out, errors] = [textOf(child.stdout), textOf(child.stderr)];
  await expect.poll(() => server.counters.executed('echo'), { timeout: 20_000 }).toBeGreaterThan(20);
  child.kill('SIGINT');
  expect([await ended(child), await errors]).toEqual([130, '']);
  const report = benchReport.parse(JSON.parse(await out));
  expect(report).toMatchObject({ outcome: 'not-examined', reason: 'The run was cancelled.', thresholds: [] });
  expect(report.scenarios.map(({ summary }) => summary)).toEqual([
    expect.stringMatching(/^cancelled after \d+ calls$/u),
  ]);
  expect(report.scenarios[0]?.phases[0]?.calls).toBeGreaterThan(0);
  // The workers are gone, and their connections with them: nobody calls any more.
  await expect.poll(() => server.counters.openConnections, { timeout: 20_000 }).toBe(0);
});
