import { benchReport, loadPlan, type BenchReport, type LatencySummary, type LoadPhase } from '@plugboard/contract';
import { describe, expect, test } from 'vitest';
import { parseXml } from '../../test-support/xml-structure.js';
import { roundUp } from './chart.js';
import { BENCH_REPORTERS, benchFormatOfFile } from './formats.js';
import { benchLines } from './terminal.js';

const latency = (scale: number): LatencySummary => ({
  count: 100,
  mean: scale,
  sd: 1,
  min: 0.1,
  max: scale * 4,
  p50: scale,
  p75: scale,
  p90: scale,
  p95: scale * 2,
  p99: scale * 3,
  p999: scale * 4,
  meanLow: scale,
  meanHigh: scale,
});

const phase = (name: string): LoadPhase => ({
  name,
  loop: 'closed',
  concurrency: 10,
  seconds: 10,
  calls: 1_000,
  failed: 2,
  callsPerSecond: 99.8,
  latency: latency(30),
  uncorrected: latency(10),
  firstEvent: latency(1),
  errors: { timeout: 2 },
  slices: [0, 1_000, 2_000].map((at) => ({ at, calls: 100, failed: 0, p50: 1, p95: 2, p99: 3 })),
});

const HOSTILE = '<script>alert(1)</script> | `x` \u001B[31m ]]>';

const report: BenchReport = {
  format: 'plugboard.bench/1',
  version: '0.0.0',
  target: { label: HOSTILE, transport: 'streamable-http' },
  era: 'legacy',
  startedAt: '2026-01-02T03:04:05.678Z',
  durationMs: 12_000,
  plan: loadPlan.parse({}),
  call: { method: 'tools/call', tool: HOSTILE, canary: true, note: 'A note.' },
  scenarios: [
    { scenario: 'steady', summary: 'fine', phases: [phase('steady')] },
    {
      scenario: 'ramp',
      summary: 'breaks',
      phases: [phase('1 caller'), { ...phase('2 callers'), concurrency: 2 }],
      curve: [1, 2, 4].map((x) => ({ x, latency: latency(x), failed: 0 })),
    },
    { scenario: 'head-of-line', skipped: 'No slow tool.', summary: 'No slow tool.', phases: [] },
  ],
  violations: [{ kind: 'foreign-canary', count: 3, example: HOSTILE }],
  metrics: { call_failed: { rate: 0.002 } },
  thresholds: [
    { metric: 'call_failed', expression: 'rate<0.001', source: 'target', verdict: 'fail', value: 0.002 },
    { metric: 'call_duration', expression: 'avg<50', source: 'preset', verdict: 'pass', value: 10 },
    { metric: 'recovery', expression: 'value<1', source: 'preset', verdict: 'not-measured' },
  ],
  process: {
    samples: [0, 500, 1_000].map((at) => ({ at, cpu: 50, rssBytes: 1e8, handles: 20, children: 1, threads: 8 })),
    cpuMean: 50,
    cpuMax: 60,
    rssFirst: 1e8,
    rssLast: 1e8,
    rssMax: 1e8,
    memoryGrowth: 1.5,
    handlesMax: 20,
    childrenMax: 1,
  },
  generator: { cpuMicrosecondsPerCall: 30, utilisation: 0.95, loopDelayP99: 1, saturated: true },
  outcome: 'failed',
};

describe('a report of load', () => {
  test('as JSON is the report', () => {
    expect(benchReport.parse(JSON.parse(BENCH_REPORTERS.json(report)))).toEqual(report);
  });

  test('as Markdown has the figures, and nothing that acts', () => {
    const text = BENCH_REPORTERS.markdown(report);
    expect(text).toContain('| p99 | 30.00 ms | 90.00 ms |');
    expect(text).toContain('3 answers that contain text of another caller');
    expect(text).toContain('| p75 | 10.00 ms | 30.00 ms |');
    expect(text).toContain('| first event, p99 | 3.00 ms |  |');
    expect(text).toContain('1,000 calls, 2 failed: 99.80 % succeeded.');
    expect(text).toContain('coordinated omission');
    expect(text).not.toContain('<script>');
    expect(BENCH_REPORTERS.summary(report)).toContain('✗');
  });

  test('as HTML has charts without scripts, and lets no text act', () => {
    const page = BENCH_REPORTERS.html(report);
    expect(page).not.toContain('<script');
    expect(page).toContain('default-src &#39;none&#39;');
    expect(page).not.toContain('script-src');
    for (const title of [
      'Latency over time',
      'Percentiles',
      'Throughput',
      'Memory of the server',
      'Latency by callers',
      'Throughput by callers',
      'first event, median',
    ]) {
      expect(page).toContain(title);
    }
    expect(page.match(/<polyline/gu)?.length).toBeGreaterThan(5);
  });

  test('as JUnit counts failures, and is well formed', () => {
    const xml = BENCH_REPORTERS.junit(report);
    expect(parseXml(xml)).toMatchObject({ name: 'testsuites', children: [{ name: 'testsuite' }] });
    expect(xml).toContain('tests="7" failures="2" errors="0" skipped="2"');
    const unreached = {
      ...report,
      outcome: 'unreachable',
      reason: 'Nothing.',
      violations: [],
      thresholds: [],
      scenarios: [],
    } as const;
    expect(BENCH_REPORTERS.junit({ ...unreached, violations: [], thresholds: [], scenarios: [] })).toContain(
      'errors="1"',
    );
  });

  test('for a terminal tells the worst in red', () => {
    const lines = benchLines(report);
    expect(lines.filter(({ tone }) => tone === 'bad').map(({ text }) => text)).toEqual([
      expect.stringContaining('✗ 3 answers'),
      expect.stringContaining('✗ call_failed rate<0.001 (is 0.002)'),
      'failed',
    ]);
    expect(lines.some(({ text }) => text.includes('saturated'))).toBe(true);
    expect(lines.map(({ text }) => text)).toContain(
      'The first event of an answer came after 1.00 ms (p50), 2.00 ms (p95), 3.00 ms (p99).',
    );
  });

  test('is written by the ending of a file', () => {
    expect(['a.json', 'b.MD', 'c.xml', 'd.html', 'e.pdf', 'f'].map(benchFormatOfFile)).toEqual([
      'json',
      'markdown',
      'junit',
      'html',
      undefined,
      undefined,
    ]);
  });

  test('has charts with round numbers', () => {
    expect([0, 0.3, 1, 2.1, 7, 12, 260].map(roundUp)).toEqual([1, 0.5, 1, 2.5, 10, 20, 500]);
  });
});
