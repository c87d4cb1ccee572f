import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchReport } from '@plugboard/contract';
import { deadPort, fakeServer, fakeServerCommand, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

let cwd = '';
let server: FakeServer;
let url = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-bench-'));
  server = fakeServer({ tools: ['echo'] });
  ({ url } = await server.listenHttp());
});
afterAll(async () => {
  await server.close();
  await rm(cwd, { recursive: true });
});

const QUICK = ['--scenario', 'steady', '--duration', '0.3', '--warm-up', '0.1', '--concurrency', '4'];
const bench = (argv: readonly string[], env: Record<string, string> = {}) =>
  runFake(['--home', cwd, 'bench', ...argv], {}, { cwd, env });

describe('bench', () => {
  it('measures a server behind a URL, and writes every report', async () => {
    const files = ['r.json', 'r.md', 'r.xml', 'deep/r.html'];
    const summary = join(cwd, 'summary.md');
    const { code, stdout, stderr } = await bench(
      [url, '--tool', 'echo={"text":"x"}', ...QUICK, ...files.flatMap((file) => ['--report', file])],
      { GITHUB_STEP_SUMMARY: summary },
    );
    expect(code).toBe(0);
    expect(stdout).toContain('tools/call echo');
    expect(stdout).toMatch(/steady: \d+ calls\/s/u);
    expect(stderr).toContain('Wrote deep/r.html.');
    expect(benchReport.parse(JSON.parse(await readFile(join(cwd, 'r.json'), 'utf8')))).toMatchObject({
      outcome: 'passed',
      call: { tool: 'echo', canary: true },
    });
    expect(await readFile(join(cwd, 'deep/r.html'), 'utf8')).toContain('<svg');
    expect(await readFile(summary, 'utf8')).toContain('passed');
  });

  it('runs without a warm-up', async () => {
    const { code, json } = await bench(['--json', url, '--tool', 'echo', ...QUICK, '--warm-up', '0']);
    expect(code).toBe(0);
    expect(benchReport.parse(json()).plan.warmUpSeconds).toBe(0);
  });

  it('starts a program, and tells what it used', async () => {
    const { command, args } = fakeServerCommand({ tools: ['echo'] });
    const { code, json } = await bench([
      '--json',
      '--tool',
      'echo',
      ...QUICK,
      '--duration',
      '2',
      '--',
      command,
      ...args,
    ]);
    expect(code).toBe(0);
    const report = benchReport.parse(json());
    expect(report.target.transport).toBe('stdio');
    if (process.platform === 'linux') expect(report.process?.rssMax).toBeGreaterThan(1_000_000);
  });

  it('tells what the process of a server behind a URL used', async () => {
    const pid = String(process.pid);
    const { code, json } = await bench(['--json', url, '--tool', 'echo', ...QUICK, '--duration', '2', '--pid', pid]);
    expect(code).toBe(0);
    const report = benchReport.parse(json());
    expect(report.target.transport).toBe('streamable-http');
    if (process.platform === 'linux') expect(report.process?.rssMax).toBeGreaterThan(1_000_000);
    const both = await bench([url, ...QUICK, '--pid', pid, '--against', url]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('cannot be combined')]);
  });

  it('fails when a threshold does not hold, with exit code 1', async () => {
    const { code, stdout } = await bench([url, '--tool', 'echo', ...QUICK, '--threshold', 'call_duration:max<0']);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ call_duration max<0');
  });

  it('takes the plan from the target file, and durations and the address from the environment', async () => {
    await writeFile(
      join(cwd, 'load.yaml'),
      `url: ${url}\nload:\n  call: { tool: echo }\n  scenarios: [steady]\n  warmUpSeconds: 0\n  concurrency: 2\n  thresholds: { call_failed: ['rate==0'] }\n`,
    );
    const fromFile = benchReport.parse(
      (
        await bench(['load.yaml', '--json'], {
          LOAD_TEST_DURATION: '0.2',
          STRESS_TEST_DURATION: '0.1',
          TEST_TIMEOUT: '5',
        })
      ).json(),
    );
    expect(fromFile.plan).toMatchObject({ seconds: 0.2, stepSeconds: 0.1, concurrency: 2 });
    expect(fromFile.thresholds).toMatchObject([{ expression: 'rate==0', source: 'target', verdict: 'pass' }]);
    const fromEnvironment = await bench(['--json', ...QUICK], { MCP_GATEWAY_URL: new URL(url).origin });
    expect(benchReport.parse(fromEnvironment.json()).target.label).toBe(url);
  });

  it('carries out the example', async () => {
    const root = fileURLToPath(new URL('../../../../../', import.meta.url));
    const { code, json } = await runFake(
      ['--home', cwd, 'bench', 'examples/bench/everything.yaml', '--json', '--duration', '0.5', '--warm-up', '0.2'],
      {},
      { cwd: root, env: { PATH: process.env['PATH'] ?? '' } },
    );
    const report = benchReport.parse(json());
    expect(report.reason).toBeUndefined();
    expect(report.violations).toEqual([]);
    expect(report.call).toMatchObject({ tool: 'echo', canary: true });
    expect(code).toBe(0);
  });

  it('compares with an earlier report, and refuses one of another load', async () => {
    const argv = [url, '--tool', 'echo', ...QUICK, '--duration', '2', '--tolerance', '99999'];
    expect((await bench([...argv, '--report', 'base.json'])).code).toBe(0);
    const { code, stdout } = await bench([...argv, '--baseline', 'base.json']);
    expect(stdout).toContain('Compared with the baseline of');
    expect(stdout).toMatch(/throughput: \d+ calls\/s → \d+ calls\/s, ratio/u);
    expect(code).toBe(0);
    const other = await bench([url, ...QUICK, '--baseline', 'base.json']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('another load');
    const open = await bench([...argv, '--rate', '20', '--baseline', 'base.json']);
    expect(open.stderr).toContain('It had 4 callers without a rate and called echo.');
    expect((await bench([url, '--baseline', 'no.json'])).stderr).toContain('cannot be read');
  });

  it('measures two targets in turns, and judges their ratio', async () => {
    const { command, args } = fakeServerCommand({ tools: ['echo'] });
    await writeFile(join(cwd, 'other.json'), JSON.stringify({ command: [command, ...args] }));
    const { code, json } = await bench([
      url,
      '--tool',
      'echo',
      ...QUICK,
      '--against',
      'other.json',
      '--rounds',
      '2',
      '--threshold',
      'against_p50:value<0',
      '--json',
    ]);
    const report = benchReport.parse(json());
    expect(report.comparison).toMatchObject({ kind: 'against', rounds: 2 });
    expect(report.scenarios[0]?.phases.map(({ name }) => name)).toEqual(['round 1', 'round 2']);
    expect(report.metrics['against_rate']?.['value']).toBeGreaterThan(0);
    expect(report.thresholds.filter(({ source }) => source === 'target')).toMatchObject([
      { metric: 'against_p50', verdict: 'fail' },
    ]);
    expect(code).toBe(1);
    const dead = await deadPort();
    expect((await bench([url, '--tool', 'echo', ...QUICK, '--against', dead.url])).code).toBe(4);
  });

  it('is unreachable where nobody listens', async () => {
    const { url: dead } = await deadPort();
    expect((await bench([dead, ...QUICK])).code).toBe(4);
  });

  it.each([
    ['an unknown scenario', ['--scenario', 'stedy'], 'Did you mean "steady"?'],
    ['an unknown metric', ['--threshold', 'latency:avg<1'], 'there is no metric latency'],
    ['a threshold without a metric', ['--threshold', 'avg<1'], 'is not a threshold'],
    ['arguments that are not JSON', ['--tool', 'echo={x'], 'The arguments for echo are not JSON.'],
    ['an unknown report', ['--report', 'r.pdf'], 'has no known report format'],
    ['no callers', ['--concurrency', '0'], 'whole number from 1 to 2000'],
    ['a duration without an end', ['--duration', '1e9'], 'up to 86400'],
    ['a deadline without an end', ['--timeout', '2h'], 'up to 3600'],
    ['more connections than a process can have', ['--connections', '1000000'], 'whole number from 1 to 2000'],
  ])('refuses %s before anything is sent', async (_name, flags, message) => {
    const { code, stderr } = await bench([url, ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('refuses a duration in the environment that is none, and no target at all', async () => {
    expect((await bench([url], { LOAD_TEST_DURATION: 'long' })).stderr).toContain('LOAD_TEST_DURATION');
    expect((await bench([url], { LOAD_TEST_DURATION: '1e9' })).code).toBe(2);
    expect((await bench([url], { TEST_TIMEOUT: '86400' })).code).toBe(2);
    expect((await bench([])).code).toBe(2);
  });
});
