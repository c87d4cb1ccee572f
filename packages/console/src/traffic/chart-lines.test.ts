import type { CallPeriod } from '@plugboard/contract';
import { expect, it } from 'vitest';
import { countLines, errorShares, latencyLines, periodsOf, timesOf } from './chart-lines.js';

const period: CallPeriod = {
  at: '2026-01-01T00:01:00.000Z',
  count: 5,
  failed: 1,
  tool_errors: 2,
  p50_ms: 1,
  p95_ms: 2,
  p99_ms: 3,
  max_ms: 4,
};
const history = {
  period_seconds: 60,
  periods: [period],
  outcomes: { ok: 6, tool_error: 1, UPSTREAM_TIMEOUT: 3 },
  servers: [{ server: 'one', periods: [period, period] }],
  servers_left_out: 0,
};

it('chooses the periods of one server or of all', () => {
  expect(periodsOf(history, '')).toHaveLength(1);
  expect(periodsOf(history, 'one')).toHaveLength(2);
  expect(periodsOf(history, 'unknown')).toEqual([]);
});

it('draws percentiles and counts', () => {
  expect(timesOf([period])).toEqual([Date.parse(period.at) / 1000]);
  expect(latencyLines([period]).map(({ label, values }) => [label, values[0]])).toEqual([
    ['p50', 1],
    ['p95', 2],
    ['p99', 3],
  ]);
  expect(countLines([period]).map(({ values }) => values[0])).toEqual([5, 3]);
});

it('shares errors by their class, the most frequent first', () => {
  expect(errorShares(history.outcomes)).toEqual([
    { outcome: 'UPSTREAM_TIMEOUT', count: 3, share: 0.3 },
    { outcome: 'tool_error', count: 1, share: 0.1 },
  ]);
});
