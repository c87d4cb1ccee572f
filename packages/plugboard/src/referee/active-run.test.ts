import type { CheckReport, CheckResult, CheckRunEvent } from '@plugboard/contract';
import { expect, it } from 'vitest';
import { ActiveRun } from './active-run.js';

const result = {
  id: 'LIF-27',
  title: 'ping is answered',
  family: 'lifecycle',
  level: 'MUST',
  tier: 'smoke',
  transport: 'stdio',
  era: 'legacy',
  verdict: 'pass',
  source: { sentence: 'A sentence.', url: 'https://spec.example/' },
  remedy: 'Answer.',
  durationMs: 1,
} satisfies CheckResult;

const server = { name: 'files', version: '1', revisions: {} } as never;

const report: CheckReport = {
  format: 'plugboard.check/1',
  version: '1',
  target: { label: 'files' },
  startedAt: '2026-01-02T03:04:05.000Z',
  durationMs: 10,
  seed: 1,
  tier: 'smoke',
  failOn: 'must',
  results: [result],
  summary: { total: 1, pass: 1, fail: 0, warn: 0, notApplicable: 0, notVerified: 0, expected: 0, rate: 1 },
  staleBaseline: [],
  outcome: 'passed',
  calls: [],
};

const start = {
  id: 'run-1',
  target: { label: 'files' },
  tier: 'smoke',
  created_at: '2026-01-02T03:04:00.000Z',
  server_id: 'mcp_server-00000000-0000-4000-8000-000000000001',
} as const;

it('shows its state at each moment, and tells of every step', async () => {
  const told: CheckRunEvent[] = [];
  const run = new ActiveRun(start, (event) => told.push(event));
  expect(run.view).toMatchObject({ id: 'run-1', state: 'queued', done: 0 });
  run.began();
  expect(run.view.state).toBe('running');
  run.heard({ type: 'reached', server, planned: 2 } as never);
  run.heard({ type: 'judged', result, done: 1, planned: 2 } as never);
  expect(run.view).toMatchObject({ state: 'running', planned: 2, done: 1 });
  run.finished(report);
  await run.ended;
  expect(run.view).toMatchObject({ id: 'run-1', planned: 2, created_at: start.created_at, server_id: start.server_id });
  expect(run.view.state).not.toBe('running');
  expect(told.map(({ event }) => event)).toEqual([
    'check_run_queued',
    'check_run_started',
    'check_run_reached',
    'check_judged',
    'check_run_finished',
  ]);
  expect(told.every((event) => event.run_id === 'run-1')).toBe(true);
});

it('keeps its events for readers who join late, and ends their stream', () => {
  const run = new ActiveRun(start, () => undefined);
  run.began();
  const heard: string[] = [];
  run.log.watch(1, { event: (id, { event }) => heard.push(`${id} ${event}`), end: () => heard.push('end') });
  run.finished(report);
  expect(heard).toEqual(['2 check_run_started', '3 check_run_finished', 'end']);
});
