import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReport, type CheckReport } from '@plugboard/contract';
import { deadPort, fakeServer, fakeServerCommand, type FakeServer } from '@plugboard/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
import { runChecks } from './run-checks.js';
import type { RunEvent } from './run-event.js';
import { exitCodeOf } from './summary.js';

const QUICK = { quietMs: 20, requestMs: 2_000, checkMs: 8_000 };

const run = async (
  input: CheckTargetInput,
  options: { signal?: AbortSignal; onEvent?: (event: RunEvent) => void } = {},
) =>
  await runChecks(checkTarget.parse({ seed: 1, ...input, budgets: { ...QUICK, ...input.budgets } }), {
    checks: CHECKS,
    version: '0.0.0',
    ...options,
  });

const over = async (server: FakeServer, input: CheckTargetInput = {}): Promise<CheckReport> => {
  try {
    const { url } = await server.listenHttp();
    return await run({ url, ...input });
  } finally {
    await server.close();
  }
};

const shell = (line: string, env: Record<string, string> = {}): string =>
  spawnSync('sh', ['-c', line], {
    encoding: 'utf8',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env },
    timeout: 30_000,
  }).stdout;

/** For a line that talks to a server in this process, which must go on answering meanwhile. */
const shellBeside = (line: string, env: Record<string, string> = {}): Promise<string> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', line], { env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env } }, (_error, stdout) =>
      resolve(stdout),
    );
  });

describe('a run', () => {
  test('gives a report of the published shape, and tells how far it is', async () => {
    const events: RunEvent[] = [];
    const server = fakeServer({ tools: ['echo'] });
    const { url } = await server.listenHttp();
    const report = await run({ url, only: ['LIF-0*'] }, { onEvent: (event) => events.push(event) });
    await server.close();
    expect(checkReport.parse(report)).toEqual(report);
    expect(report.target.transport).toBe('streamable-http');
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['reached', 'started', 'judged', 'finished']),
    );
    expect(events.filter(({ type }) => type === 'judged')).toHaveLength(report.results.length);
  });

  test('finds out by itself that a URL speaks HTTP+SSE', async () => {
    const server = fakeServer({ tools: ['echo'] });
    const { url } = await server.listenSse();
    const report = await run({ url, only: ['LIF-01'] });
    await server.close();
    expect(report.target.transport).toBe('sse');
    expect(report.summary.pass).toBe(1);
  });

  test('calls only what reads or is allowed, and ends although a tool hangs', async () => {
    const server = fakeServer({ tools: ['echo', 'counter', 'hang', { ...hanging, name: 'hanging_reader' }] });
    const report = await over(server, { suites: ['lifecycle', 'tools'], budgets: { requestMs: 300, checkMs: 3_000 } });
    expect(server.counters.executed('counter')).toBe(0);
    expect(server.counters.executed('hang')).toBe(0);
    expect(report.outcome).not.toBe('not-examined');
  });

  test('ends in time although tools are dead, hang or change things, and says what to supply', async () => {
    const dead = { name: 'dead_reader', handler: 'crash', annotations: { readOnlyHint: true } } as const;
    const folder = await mkdtemp(join(tmpdir(), 'plugboard-check-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'executed');
    const writing = { name: 'writer', handler: 'counter', settings: { file } } as const;
    const { command, args } = fakeServerCommand({
      tools: [writing, dead, { ...hanging, name: 'hanging_reader' }],
    });
    const report = await run({
      command: [command, ...args],
      suites: ['tools', 'cancellation', 'progress'],
      budgets: { requestMs: 300, checkMs: 4_000, runMs: 60_000 },
    });
    expect(report.reason).toBeUndefined();
    const open = report.results.filter(({ verdict }) => verdict === 'not-verified');
    expect(open.length).toBeGreaterThan(0);
    expect(open.filter(({ supply = '' }) => supply === '')).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  test('calls what would change something when that is allowed', async () => {
    const server = fakeServer({ tools: ['counter'] });
    await over(server, { only: ['TOL-11'], tools: { counter: {} } });
    expect(server.counters.executed('counter')).toBeGreaterThan(0);
  });

  test('says what to supply when nothing may be called', async () => {
    const server = fakeServer({ tools: ['counter'], eras: 'modern' });
    const { results } = await over(server, { only: ['LIF-25'] });
    expect(results).toMatchObject([{ verdict: 'not-verified', supply: expect.stringContaining('tool') as string }]);
  });
});

const hanging = { name: 'hang', handler: 'hang', annotations: { readOnlyHint: true } } as const;

describe('a run that cannot be', () => {
  test('says that nothing listens', async () => {
    const { url } = await deadPort();
    const report = await run({ url });
    expect(report).toMatchObject({
      outcome: 'unreachable',
      results: [],
      reason: expect.stringContaining('cannot be reached') as string,
    });
    expect(exitCodeOf(report)).toBe(4);
    expect(report.summary.rate).toBeNull();
  });

  test('says that there is no such program', async () => {
    const report = await run({ command: ['/no/such/program'] });
    expect(report.outcome).toBe('unreachable');
    expect(report.reason).toContain('ENOENT');
  });

  test('ends when it is cancelled', async () => {
    const server = fakeServer({ tools: ['echo'] });
    const { url } = await server.listenHttp();
    const controller = new AbortController();
    const report = await run(
      { url },
      { signal: controller.signal, onEvent: ({ type }) => type === 'judged' && controller.abort() },
    );
    await server.close();
    expect(report).toMatchObject({ outcome: 'not-examined', reason: expect.stringContaining('cancelled') as string });
  });
});

describe('gate and baseline', () => {
  const pong = () => {
    const server = fakeServer({ tools: ['echo'] });
    server.script.on('ping').always().respondResult({ pong: true });
    return server;
  };

  test.each([
    [{}, 'failed', []],
    [{ failOn: 'never' }, 'passed', []],
    [{ baseline: ['LIF-27'] }, 'passed', []],
    [{ baseline: ['LIF-27@legacy'] }, 'passed', []],
    [{ baseline: ['LIF-27', 'LIF-01'] }, 'failed', ['LIF-01']],
  ] as const)('with %j the run is %s', async (input, outcome, stale) => {
    const report = await over(pong(), { only: ['LIF-27', 'LIF-01'], ...input } as CheckTargetInput);
    expect(report).toMatchObject({ outcome, staleBaseline: stale });
  });
});

describe('the line that reproduces a failure', () => {
  const failing = ({ results }: CheckReport, id: string): string => {
    const result = results.find((one) => one.id === id && one.verdict === 'fail');
    return result?.evidence?.reproduce ?? `no failure of ${id}`;
  };

  test('shows the same over Streamable HTTP, inside of a session, without telling a secret', async () => {
    const server = fakeServer({ tools: ['echo'], requireHeaders: { 'x-api-key': 's3cret' } });
    server.script.on('ping').always().respondResult({ pong: true });
    const { url } = await server.listenHttp();
    const report = await run({ url, headers: { 'X-API-Key': 's3cret' }, only: ['LIF-27'] });
    const line = failing(report, 'LIF-27');
    expect(JSON.stringify(report)).not.toContain('s3cret');
    const shown = await shellBeside(line, { X_API_KEY: 's3cret' });
    await server.close();
    expect(shown).toContain('{"pong":true}');
  });

  test('shows the same over HTTP+SSE', async () => {
    const server = fakeServer({ tools: ['echo'] });
    server.script.on('ping').always().respondResult({ pong: true });
    const { url } = await server.listenSse();
    const report = await run({ url, transport: 'sse', only: ['LIF-27'] });
    const line = failing(report, 'LIF-27');
    const shown = await shellBeside(line);
    await server.close();
    expect(shown).toContain('{"pong":true}');
  });

  test('shows the same over stdio, and the run leaves no process behind', async () => {
    const { command, args } = fakeServerCommand({
      tools: ['echo'],
      script: [{ on: 'ping', fault: { result: { pong: true } } }],
    });
    const report = await run({
      command: [command, ...args],
      only: ['LIF-27', 'LIF-02'],
      env: { PLUGBOARD_MARK: 'left-behind' },
    });
    expect(shell(failing(report, 'LIF-27'))).toContain('{"pong":true}');
    const mark = spawnSync(
      'sh',
      ['-c', 'grep -l "left-behind" /proc/[0-9]*/environ 2>/dev/null | grep -v "/proc/$$/" | wc -l'],
      { encoding: 'utf8' },
    );
    expect(mark.stdout.trim()).toBe('0');
  });
});
