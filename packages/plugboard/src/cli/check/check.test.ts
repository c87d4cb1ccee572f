import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckReport, CheckResult } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepRun } from '../../referee/run-store.js';
import type { FakeHubOptions } from '../../test-support/fake-hub.js';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const AT = '2026-01-02T03:04:05.000Z';
const server = aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'x', args: [] } });

const judged = (verdict: CheckResult['verdict'], id = 'LIF-27'): CheckResult => ({
  id,
  title: 'ping is answered with an empty result',
  level: 'MUST',
  era: 'legacy',
  family: 'lifecycle',
  tier: 'smoke',
  transport: 'stdio',
  source: { sentence: 'The receiver MUST respond promptly with an empty response.', url: 'https://spec.example/ping' },
  remedy: 'Answer with {}.',
  verdict,
  durationMs: 3,
  ...(verdict === 'fail' ? { detail: 'It answered with something.' } : {}),
});

const report = (results: readonly CheckResult[], members: Partial<CheckReport> = {}): CheckReport => {
  const of = (verdict: CheckResult['verdict']): number => results.filter((each) => each.verdict === verdict).length;
  return {
    format: 'plugboard.check/1',
    version: '1',
    target: { label: 'files' },
    startedAt: AT,
    durationMs: 10,
    seed: 1,
    tier: 'smoke',
    failOn: 'must',
    results: [...results],
    summary: {
      total: results.length,
      pass: of('pass'),
      fail: of('fail'),
      warn: 0,
      notApplicable: 0,
      notVerified: 0,
      expected: 0,
      rate: 1,
    },
    staleBaseline: [],
    outcome: of('fail') > 0 ? 'failed' : 'passed',
    ...members,
  };
};

const events = (...told: readonly object[]): Response =>
  new Response(told.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

const started = { at: AT, run_id: 'run-1' };

/** A hub whose referee comes to this report. */
const judging = (result: CheckReport): FakeHubOptions => ({
  servers: [server],
  answers: {
    '/v1/checks': { id: 'run-1' },
    '/v1/checks/run-1/events': () =>
      events(
        { event: 'check_run_started', ...started },
        { nonsense: true },
        {
          event: 'check_judged',
          ...started,
          done: 1,
          planned: 1,
          id: 'LIF-27',
          era: 'legacy',
          level: 'must',
          verdict: 'pass',
        },
      ),
    '/v1/checks/run-1/report': result,
    '/v1/checks/run-1/cancel': {},
    '/v1/checks/run-1': {},
  },
});

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-check-'));
});
afterEach(() => rm(cwd, { recursive: true }));

const check = (options: FakeHubOptions, ...argv: readonly string[]) =>
  runFake(['--home', cwd, 'check', ...argv], options, { cwd });

const targetOf = ({ hub }: Awaited<ReturnType<typeof check>>): unknown =>
  hub.seen.find(({ method, path }) => method === 'POST' && path === '/v1/checks')?.body;

describe('check of a registered server', () => {
  it('is carried out by the hub, and told in words', async () => {
    const run = await check(judging(report([judged('pass')])), 'files', '--verbose');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('passed: 1 passed, 0 failed');
    expect(targetOf(run)).toMatchObject({ name: 'files' });
  });

  it('fails with the report, and writes it into files by their endings', async () => {
    const failed = report([judged('fail')]);
    const files = ['a.json', 'deep/b.md', 'c.xml', 'd.sarif', 'e.html', 'f.svg'];
    await mkdir(join(cwd, 'deep'));
    const run = await check(judging(failed), 'files', '--json', ...files.flatMap((file) => ['--report', file]));
    expect(run.code).toBe(1);
    expect(run.json()).toEqual(failed);
    expect(JSON.parse(await readFile(join(cwd, 'a.json'), 'utf8'))).toEqual(failed);
    expect(await readFile(join(cwd, 'c.xml'), 'utf8')).toContain('<testsuites');
  });

  it('hands the flags on', async () => {
    await writeFile(join(cwd, 'known.txt'), '# known\n- LIF-27@legacy\n');
    const run = await check(
      judging(report([judged('pass')])),
      'files',
      '--only=lif-27,TOL-*',
      '--skip=LIF-01',
      '--suite=lifecycle',
      '--era=legacy',
      '--seed=7',
      '--allow=search={"query":"x"}',
      '--allow=echo',
      '--baseline=known.txt',
      '--fail-on=never',
      '--against=modern',
      '--tier=full',
      '--dry-run',
      '--no-keep',
    );
    expect(targetOf(run)).toMatchObject({
      only: ['LIF-27', 'TOL-*'],
      skip: ['LIF-01'],
      suites: ['lifecycle'],
      era: 'legacy',
      seed: 7,
      tools: { search: { safe: true, arguments: { query: 'x' } }, echo: { safe: true } },
      baseline: ['LIF-27@legacy'],
      failOn: 'never',
      differential: { era: 'modern' },
      tier: 'full',
      dryRun: true,
    });
    expect(run.hub.seen.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/checks/run-1' });
  });

  it.each([
    ['http://127.0.0.1:1/mcp', { url: 'http://127.0.0.1:1/mcp' }],
    ['node "a b.js" \'c d\'', { command: ['node', 'a b.js', 'c d'] }],
    ['files', { name: 'files' }],
    ['other.json', { url: 'http://127.0.0.1:2/mcp' }],
  ])('is compared with %s', async (word, differential) => {
    await writeFile(join(cwd, 'other.json'), '{"url": "http://127.0.0.1:2/mcp"}');
    const run = await check(judging(report([judged('pass')])), 'files', '--against', word);
    expect(targetOf(run)).toMatchObject({ name: 'files', differential });
  });

  it.each([
    ['an unknown suite', ['--suite', 'livecycle'], 'Did you mean "lifecycle"?'],
    ['an unknown check', ['--only', 'NOPE-1'], 'There is no check "NOPE-1".'],
    ['arguments that are not JSON', ['--allow', 'search={x'], 'The arguments for search are not JSON.'],
    ['a missing baseline', ['--baseline', 'none.txt'], 'The baseline none.txt cannot be read.'],
    ['a report of unknown form', ['--report', 'a.pdf'], 'The file name "a.pdf" has no known report format.'],
    ['a missing file to compare with', ['--against', 'none.yaml'], 'The file none.yaml cannot be read.'],
  ])('refuses %s', async (_, flags, message) => {
    const run = await check(judging(report([])), 'files', ...flags);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
    expect(targetOf(run)).toBeUndefined();
  });

  it.each([
    ['nothing', [], 'No target was given.'],
    ['a missing file', ['none.yaml'], 'The file none.yaml cannot be read.'],
    ['a URL with arguments', ['http://a.example/', 'x'], 'A URL takes no arguments'],
    ['an unknown server', ['fils'], 'files'],
  ])('refuses %s', async (_, argv, message) => {
    const run = await check(judging(report([])), ...argv);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
  });

  it('is taken back when its events break off', async () => {
    const options = judging(report([]));
    const run = await check(
      {
        ...options,
        answers: { ...options.answers, '/v1/checks/run-1/events': () => new Response('', { status: 500 }) },
      },
      'files',
    );
    expect(run.code).not.toBe(0);
    expect(run.hub.seen.at(-1)).toMatchObject({ method: 'POST', path: '/v1/checks/run-1/cancel' });
  });
});

describe('runs that were kept', () => {
  it('are listed, newest first', async () => {
    expect((await check({}, 'history')).stderr).toContain('No runs are stored.');
    await keepRun(cwd, report([judged('pass')]));
    await keepRun(cwd, report([judged('fail')], { startedAt: '2026-01-03T00:00:00.000Z', target: { label: 'other' } }));
    const { stdout } = await check({}, 'history');
    expect(stdout.indexOf('other')).toBeLessThan(stdout.indexOf('files'));
    expect((await check({}, 'history', 'files', '--json')).json()).toHaveLength(1);
  });

  it('are compared', async () => {
    await keepRun(cwd, report([judged('pass')]));
    await keepRun(cwd, report([judged('fail')], { startedAt: '2026-01-03T00:00:00.000Z' }));
    const worse = await check({}, 'compare');
    expect(worse.code).toBe(1);
    expect(worse.stdout).toContain('broken LIF-27 (legacy): pass → fail');
    expect(worse.stdout).toContain('It answered with something.');
    expect((await check({}, 'compare', '1', '2')).stdout).toContain('fixed LIF-27');
    expect((await check({}, 'compare', '1', '1')).stdout).toContain('Both runs have the same results.');
    expect((await check({}, 'compare', '9', '1')).code).toBe(2);
  });
});

describe('the draft of a target', () => {
  it.each([
    [{ sandbox: true }, 'runs in a sandbox'],
    [{ env: { TOKEN: 'a-secret-of-some-length' } }, 'is a secret that the hub does not reveal'],
  ])('is not made of a server with %j', async (members, message) => {
    const config = { mcp_server_type: 'stdio' as const, command: 'x', args: [], ...members };
    const run = await check({ servers: [aServer({ server_name: 'files', config })] }, 'init', 'files');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
  });
});
