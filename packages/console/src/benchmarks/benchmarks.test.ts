import { expect, it } from 'vitest';
import { curveLines, curveUnit, latencyLines, secondsOf, throughputLines } from './bench-lines.js';
import { readReport } from './read-report.js';

const latency = {
  count: 1,
  mean: 1,
  sd: 0,
  min: 1,
  max: 4,
  p50: 1,
  p75: 1,
  p90: 1,
  p95: 2,
  p99: 3,
  p999: 4,
  meanLow: 1,
  meanHigh: 1,
};
const slices = [
  { at: 0, calls: 50, failed: 0, p50: 1, p95: 2, p99: 3 },
  { at: 500, calls: 0, failed: 0, p50: 0, p95: 0, p99: 0 },
  { at: 1000, calls: 30, failed: 6, p50: 1, p95: 2, p99: 3 },
];
const report = {
  format: 'plugboard.bench/1',
  target: { label: 'one' },
  startedAt: '2026-11-18T00:00:00.000Z',
  durationMs: 5,
  scenarios: [
    {
      scenario: 'steady',
      summary: 'Fine.',
      phases: [
        {
          name: 'load',
          concurrency: 1,
          seconds: 1.3,
          calls: 80,
          failed: 6,
          callsPerSecond: 61,
          latency,
          uncorrected: latency,
          errors: {},
          slices,
        },
      ],
      curve: [{ x: 1, failed: 0, latency }],
    },
  ],
  violations: [],
  thresholds: [],
  outcome: 'pass',
};

it('lines over time: latency where there were calls, and rates by the length of each slice', () => {
  expect(secondsOf(slices)).toEqual([0, 0.5, 1]);
  expect(latencyLines(slices).map(({ values }) => values)).toEqual([
    [1, null, 1],
    [2, null, 2],
    [3, null, 3],
  ]);
  const [calls, failed] = throughputLines(slices, 1.3);
  expect(calls?.values.map((value) => Math.round(value ?? -1))).toEqual([100, 0, 100]);
  expect(failed?.values.map((value) => Math.round(value ?? -1))).toEqual([0, 0, 20]);
  expect(throughputLines(slices.slice(0, 1), 2)[0]?.values).toEqual([25]);
  expect(curveLines([{ x: 1, failed: 0, latency }]).map(({ values }) => values)).toEqual([[1], [3]]);
  expect((['payload', 'list', 'ramp'] as const).map(curveUnit)).toEqual(['bytes', 'tools', 'callers']);
});

it('reads a report, and refuses every other file', () => {
  expect(readReport(JSON.stringify(report))).toEqual({ report });
  expect(readReport('<html>')).toMatchObject({ problem: expect.stringContaining('not JSON') as string });
  expect(readReport('[]')).toMatchObject({ problem: expect.stringContaining('not a load report') as string });
  const [scenario] = report.scenarios;
  for (const wrong of [
    { target: 'one' },
    { scenarios: [{ ...scenario, phases: [{}] }] },
    { scenarios: [{ ...scenario, curve: [{ x: 'many' }] }] },
    { violations: undefined },
    { thresholds: [1] },
  ]) {
    expect(readReport(JSON.stringify({ ...report, ...wrong }))).toMatchObject({
      problem: expect.stringContaining('not complete') as string,
    });
  }
});
