import { benchReport, loadPlan, type BenchReport } from '@plugboard/contract';
import { seeded } from '@plugboard/testing/fault-proxy';
import { describe, expect, test } from 'vitest';
import { LatencyHistogram } from '../statistics/latency-histogram.js';
import { compareLoads, samplesOf } from './compare-loads.js';
import { withBaseline } from './with-baseline.js';

const nothing = new LatencyHistogram().summary();

const reportOf = (factor: number, seed: number, slices = 40): BenchReport => {
  const random = seeded(seed);
  const phase = {
    name: 'steady',
    loop: 'closed',
    concurrency: 10,
    seconds: 10,
    calls: 10_000,
    failed: 0,
    callsPerSecond: 1_000 / factor,
    latency: nothing,
    uncorrected: nothing,
    errors: {},
    slices: Array.from({ length: slices }, (_, index) => {
      const noise = 0.9 + 0.2 * random();
      const calls = Math.round((250 / factor) * noise);
      return { at: index * 250, calls, failed: 0, p50: 2 * factor * noise, p95: 5 * factor * noise, p99: 9 };
    }),
  };
  return benchReport.parse({
    format: 'plugboard.bench/1',
    version: 'test',
    target: { label: 'x' },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    plan: loadPlan.parse({}),
    call: { method: 'tools/call', tool: 'echo', canary: true },
    scenarios: [{ scenario: 'steady', summary: '', phases: [phase] }],
    violations: [],
    metrics: {},
    thresholds: [],
    outcome: 'passed',
  });
};

const verdicts = (before: number, after: number): readonly string[] =>
  compareLoads(samplesOf(reportOf(before, 1)), samplesOf(reportOf(after, 2)), 10).map(({ verdict }) => verdict);

describe('two loads', () => {
  test('are the same when they differ by chance, or by less than the tolerance', () => {
    expect(verdicts(1, 1)).toEqual(['same', 'same', 'same']);
    expect(verdicts(1, 1.06)).toEqual(['same', 'same', 'same']);
  });

  test('are worse or better when they differ by more', () => {
    expect(verdicts(1, 1.3)).toEqual(['worse', 'worse', 'worse']);
    expect(verdicts(1.3, 1)).toEqual(['better', 'better', 'better']);
  });

  test('are not told apart by a few slices', () => {
    const [few, many] = [samplesOf(reportOf(1, 1, 4)), samplesOf(reportOf(2, 2, 40))];
    expect(compareLoads(few, many, 10).map(({ verdict }) => verdict)).toEqual(['same', 'same', 'same']);
  });
});

describe('a baseline', () => {
  test('fails a run that became slower, and no other', () => {
    const slower = withBaseline(reportOf(1.4, 3), reportOf(1, 1), { tolerance: 10 });
    expect(slower).toMatchObject({ outcome: 'failed', comparison: { kind: 'baseline' } });
    expect(withBaseline(reportOf(1, 3), reportOf(1, 1), { tolerance: 10 }).outcome).toBe('passed');
    expect(withBaseline(reportOf(1.4, 3), reportOf(1, 1), { tolerance: 60 }).outcome).toBe('passed');
  });

  test('of another load is refused', () => {
    const other = reportOf(1, 1);
    expect(() =>
      withBaseline(reportOf(1, 2), { ...other, plan: loadPlan.parse({ concurrency: 3 }) }, { tolerance: 10 }),
    ).toThrow('another load');
    expect(() => withBaseline(reportOf(1, 2), { ...other, scenarios: [] }, { tolerance: 10 })).toThrow(
      'no steady load',
    );
  });
});
