import { FaultScript, fakeServer, fakeServerCommand, MUTANTS, mutantServer } from '@plugboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { checkTarget } from '../target/target.js';
import { runSoak, type SoakProgress } from './run-soak.js';
import { SOAK_REPORTERS, soakLines } from './report/formats.js';

const PLAN = { seconds: 2.5, warmUpSeconds: 0, rate: 40, concurrency: 2, churn: 10, churnMode: 'both' } as const;
const BASE_ENV = { PATH: process.env['PATH'] ?? '' };

test('sessions come and go, and those that were ended do not answer any more', async () => {
  const server = fakeServer({ tools: ['echo'], eras: 'legacy' });
  const { url } = await server.listenHttp();
  try {
    const target = checkTarget.parse({ url, load: { call: { tool: 'echo' } } });
    const seen: SoakProgress[] = [];
    const report = await runSoak(target, { version: 'test', plan: PLAN, onProgress: (one) => seen.push(one) });
    expect(report.churned.deleted).toBeGreaterThan(0);
    expect(report.churned.abandoned).toBeGreaterThan(0);
    expect(report.findings.find(({ metric }) => metric === 'sessions')).toMatchObject({ verdict: 'stable' });
    expect(report.findings.find(({ metric }) => metric === 'rss')).toMatchObject({ verdict: 'not-measured' });
    // A few seconds decide nothing about latency.
    expect(report.outcome).toBe('incomplete');
    expect(seen.length).toBe(report.samples.length);
    expect(SOAK_REPORTERS.html(report)).toContain('<svg');
    expect(SOAK_REPORTERS.xml(report)).toContain('<skipped');
    expect(SOAK_REPORTERS.md(report)).toContain('still answers');
    expect(JSON.parse(SOAK_REPORTERS.json(report))).toEqual(report);
  } finally {
    await server.close();
  }
});

test('a server whose sessions outlive their DELETE is accused, and the run ends early', async () => {
  const mutant = MUTANTS.find(({ name }) => name === 'session-outlives-delete');
  if (mutant === undefined) throw new Error('The mutant is missing.');
  const server = mutantServer(mutant);
  onTestFinished(() => server.close());
  const { url } = await server.listenHttp();
  const target = checkTarget.parse({ url, era: 'legacy', load: { call: { tool: 'echo' } } });
  const report = await runSoak(target, { version: 'test', plan: { ...PLAN, seconds: 120, churnMode: 'delete' } });
  expect(report.findings.find(({ metric }) => metric === 'sessions')).toMatchObject({ verdict: 'grows' });
  expect(report).toMatchObject({ outcome: 'failed', stoppedEarly: true, churned: { abandoned: 0 } });
});

test('memory and handles of a program are watched', async () => {
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  const target = checkTarget.parse({ command: [command, ...args], load: { call: { tool: 'echo' } } });
  const report = await runSoak(target, { version: 'test', plan: { ...PLAN, seconds: 1.5 }, baseEnv: BASE_ENV });
  expect(report.samples.at(-1)).toMatchObject({ failed: 0 });
  if (process.platform === 'linux') expect(report.samples.at(-1)?.rss).toBeGreaterThan(1_000_000);
  expect(
    soakLines(report)
      .map(({ text }) => text)
      .join('\n'),
  ).toContain('calls of tools/call echo');
});

test('says what most calls failed with', async () => {
  const server = fakeServer({ tools: ['echo'], eras: 'legacy' });
  onTestFinished(() => server.close());
  // The calls that find out what the tool does succeed.
  server.script.on('tools/call').after(2).respondStatus(429);
  const { url } = await server.listenHttp();
  const target = checkTarget.parse({ url, load: { call: { tool: 'echo' } } });
  const report = await runSoak(target, { version: 'test', plan: { ...PLAN, seconds: 1.2, churn: 0 } });
  expect(report).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('most of them with "HTTP 429"') });
  expect(report.reason).toContain('lower --rate');
  expect(Object.keys(report.errors ?? {})).toEqual(['HTTP 429']);
});

test('a program that ends during the run fails at once', async () => {
  const script = new FaultScript().on('tools/call').after(60).crash('while-working');
  const { command, args } = fakeServerCommand({ tools: ['echo'], script: script.rules });
  const target = checkTarget.parse({ command: [command, ...args], load: { call: { tool: 'echo' } } });
  const report = await runSoak(target, { version: 'test', plan: { ...PLAN, seconds: 600 }, baseEnv: BASE_ENV });
  expect(report).toMatchObject({ outcome: 'failed', reason: 'The server ended during the run.' });
  expect(report.durationMs).toBeLessThan(300_000);
});

test('says that nothing answers', async () => {
  const report = await runSoak(checkTarget.parse({ url: 'http://127.0.0.1:9/mcp' }), { version: 'test', plan: PLAN });
  expect(report).toMatchObject({ outcome: 'unreachable', samples: [] });
});
