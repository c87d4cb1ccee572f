import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReport } from '@plugboard/contract';
import { fakeServer, fakeServerCommand, type FakeServer } from '@plugboard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

let cwd = '';
let server: FakeServer;
let url = '';

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-check-'));
  server = fakeServer({ tools: ['echo', 'counter'] });
  url = (await server.listenHttp()).url;
});
afterEach(async () => {
  await server.close();
  await rm(cwd, { recursive: true });
});

const { command, args } = fakeServerCommand({ tools: ['echo', 'counter'] });

const check = (...argv: readonly string[]) => runFake(['--home', cwd, 'check', ...argv], {}, { cwd });

describe('check', () => {
  it('judges a URL, and exits with 0 when nothing failed', async () => {
    const { code, stdout } = await check(url, '--only', 'LIF-01', '--only', 'lif-27');
    expect(code).toBe(0);
    expect(stdout).toContain('passed: 2 passed, 0 failed');
    expect(stdout).toContain('over streamable-http, 2025-11-25');
  });

  it('takes the address and the time for an answer from the environment when nothing else names them', async () => {
    const checkWith = (env: Record<string, string>) =>
      runFake(['--home', cwd, 'check', '--only', 'LIF-27', '--json'], {}, { cwd, env });
    const { code, json } = await checkWith({ MCP_GATEWAY_URL: new URL(url).origin, TEST_TIMEOUT: '7' });
    expect(code).toBe(0);
    expect(checkReport.parse(json()).target.label).toBe(url);
    expect((await checkWith({})).code).toBe(2);
    const { stdout } = await checkWith({ MCP_GATEWAY_URL: url, TEST_TIMEOUT: 'long' });
    expect(stdout).toContain('TEST_TIMEOUT is not a number of seconds');
  });

  it('exits with 1, says what failed and how to see it again', async () => {
    server.script.on('ping').always().respondResult({ pong: true });
    const { code, stdout } = await check(url, '--only', 'LIF-27');
    expect(code).toBe(1);
    expect(stdout).toContain('✗ LIF-27');
    expect(stdout).toContain('curl -sS -i');
    expect((await check(url, '--only', 'LIF-27', '--fail-on', 'never')).code).toBe(0);
    await writeFile(join(cwd, 'known.txt'), '# known\nLIF-27@legacy\n');
    expect((await check(url, '--only', 'LIF-27', '--baseline', 'known.txt')).code).toBe(0);
    expect((await check(url, '--only', 'LIF-01', '--baseline', 'known.txt')).code).toBe(1);
  });

  it('exits with 4 when nothing answers', async () => {
    await server.close();
    const { code, stdout } = await check(url);
    expect(code).toBe(4);
    expect(stdout).toContain('cannot be reached');
  });

  it('writes the report as JSON, and into files by their endings', async () => {
    const files = ['a.json', 'deep/b.md', 'c.xml', 'd.sarif', 'e.html', 'f.svg'];
    const { json } = await check(url, '--json', '--only', 'LIF-01', ...files.flatMap((file) => ['--report', file]));
    const report = checkReport.parse(json());
    expect(report.results).toHaveLength(1);
    expect(JSON.parse(await readFile(join(cwd, 'a.json'), 'utf8'))).toEqual(report);
    expect(await readFile(join(cwd, 'c.xml'), 'utf8')).toContain('<testsuites');
    expect(await readFile(join(cwd, 'deep/b.md'), 'utf8')).toContain('LIF-01');
  });

  it('shows findings in SARIF at the line of the target file that names the server', async () => {
    server.script.on('ping').always().respondResult({ pong: true });
    await writeFile(join(cwd, 'check.yaml'), `tier: smoke\nurl: ${url}\n`);
    await check('check.yaml', '--only', 'LIF-27', '--report', 'd.sarif');
    const physicalLocation = { artifactLocation: { uri: 'check.yaml' }, region: { startLine: 2 } };
    const log: unknown = JSON.parse(await readFile(join(cwd, 'd.sarif'), 'utf8'));
    expect(log).toHaveProperty('runs.0.results.0.locations.0.physicalLocation', physicalLocation);
  });

  it('repeats the request that stayed without an answer, in a new session', async () => {
    server.script.on('tools/list').always().hang();
    await writeFile(join(cwd, 'check.yaml'), `url: ${url}\nseed: 7\nbudgets: { requestMs: 200 }\n`);
    const { stdout } = await check('check.yaml', '--only', 'TOL-01');
    const line = /repeat it with:\n(.*)\n/u.exec(stdout)?.[1] ?? '';
    expect(line).toMatch(
      /^ {2}S=\$\(curl .*"method":"initialize".*curl .*"mcp-session-id: \$S".*"method":"tools\/list"/u,
    );
  });

  it('adds to the summary of a GitHub step', async () => {
    const summary = join(cwd, 'summary.md');
    const { code } = await runFake(
      ['check', url, '--only', 'LIF-01', '-q'],
      {},
      { cwd, env: { GITHUB_STEP_SUMMARY: summary } },
    );
    expect(code).toBe(0);
    expect(await readFile(summary, 'utf8')).toContain('| total | passed |');
  });

  it('runs a program, with its own environment only', async () => {
    const { command, args } = fakeServerCommand({ tools: ['echo'] });
    const { code, stdout } = await check('--only', 'LIF-01', '--', command, ...args);
    expect(stdout).toContain('over stdio');
    expect(code).toBe(0);
  });

  it('takes a file, and flags count more than it', async () => {
    await writeFile(join(cwd, 'check.yaml'), `url: ${url}\nonly: [LIF-01, LIF-27]\nheaders: { X-Key: "\${KEY}" }\n`);
    const { json } = await runFake(
      ['check', 'check.yaml', '--json', '--only', 'LIF-27'],
      {},
      { cwd, env: { KEY: 'k' } },
    );
    expect(checkReport.parse(json()).results.map(({ id }) => id)).toEqual(['LIF-27']);
    expect(server.log.entries.at(-1)?.headers['x-key']).toBe('k');
  });

  it.each([
    ['a URL', () => url],
    ['a file', () => 'other.yaml'],
    ['a command', () => [command, ...args].map((word) => `"${word.replaceAll(/["\\]/gu, '\\$&')}"`).join(' ')],
  ])('compares with another way: %s', async (_what, other) => {
    await writeFile(join(cwd, 'other.yaml'), `url: ${url}\n`);
    const { json, code } = await check(url, '--json', '--suite', 'differential', '--against', other());
    const { results, outcome } = checkReport.parse(json());
    expect(results.map(({ id }) => id)).toContain('DIF-02');
    expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect([outcome, code]).toEqual(['passed', 0]);
  });

  it('draws its progress on a terminal and wipes it', async () => {
    const { stderr } = await runFake(['check', url, '--only', 'LIF-01'], {}, { cwd, columns: 80 });
    expect(stderr).toContain('LIF-01');
    expect(stderr.endsWith('\u001B[2K')).toBe(true);
  });

  it.each([
    [[], 'No target was given'],
    [['nowhere.yaml'], 'cannot be read'],
    [['URL', '--only', 'XYZ-99'], 'There is no check'],
    [['URL', '--suite', 'tool'], 'Did you mean "tools"?'],
    [['URL', '--report', 'x.pdf'], 'The extension decides the format'],
    [['URL', '--allow', 'echo={'], 'are not JSON'],
    [['URL', '--baseline', 'nowhere'], 'cannot be read'],
    [['URL', '--seed', 'x'], 'whole number'],
    [['URL', 'more'], 'takes no arguments'],
  ])('refuses %j', async (argv, why) => {
    const { code, stderr } = await check(...argv.map((word) => (word === 'URL' ? url : word)));
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });
});

describe('check history and check compare', () => {
  it('keep runs, newest first, and tell what became of them', async () => {
    expect((await check('history')).stderr).toContain('No runs are stored.');
    expect((await check('compare')).code).toBe(2);
    await check(url, '--only', 'LIF-27');
    server.script.on('ping').always().respondResult({ pong: true });
    await check(url, '--only', 'LIF-27', '--report', 'later.json');
    await check(url, '--only', 'LIF-27', '--no-keep');
    const { json } = await check('history', '--json');
    expect(json()).toMatchObject([{ outcome: 'failed' }, { outcome: 'passed' }]);
    expect((await check('history')).stdout).toMatch(/failed[\s\S]*passed/u);
    const worse = await check('compare');
    expect(worse.code).toBe(1);
    expect(worse.stdout).toContain('broken LIF-27 (legacy): pass → fail');
    expect((await check('compare', '1', 'later.json')).stdout).toContain('have the same results');
    expect((await check('compare', '1', '2')).code).toBe(0);
  });
});

describe('check init', () => {
  it('writes a target file that check takes', async () => {
    const { code, stdout } = await check('init', url, '-o', 'check.yaml');
    expect(code).toBe(0);
    expect(stdout).toContain('plugboard check check.yaml');
    const text = await readFile(join(cwd, 'check.yaml'), 'utf8');
    expect(text).toMatch(/^ {2}echo:$/mu);
    expect(text).toMatch(/^ {2}# counter:/mu);
    expect((await check('check.yaml', '--only', 'LIF-01')).code).toBe(0);
    expect((await check('init', url, '-o', 'check.yaml')).code).toBe(2);
    expect((await check('init', url, '-o', 'check.yaml', '--force')).code).toBe(0);
    expect((await check('init', url)).stdout).toContain(`url: ${url}`);
  });

  it('says that a server cannot be examined', async () => {
    await server.close();
    const { code, stderr } = await check('init', url);
    expect(code).toBe(4);
    expect(stderr).toContain('cannot be checked');
  });
});

describe('check --dry-run', () => {
  it('prints what would run and be called, calls nothing, and exits with 0', async () => {
    const { code, stdout } = await check(url, '--dry-run', '--allow', 'counter');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Would run: \d+ checks/u);
    expect(stdout).toMatch(/Would be called:\n {2}tool counter: allowed by the target/u);
    expect(stdout).toMatch(/Would not be called \(allow a tool with --allow .*\):\n {2}tool echo: /u);
    expect(server.counters.toolsCall).toBe(0);
  });
});
