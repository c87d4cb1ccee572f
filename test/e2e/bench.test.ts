import { benchReport } from '@plugboard/contract';
import { fakeServer } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { run, temporaryDirectory } from './cli-process.js';

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
