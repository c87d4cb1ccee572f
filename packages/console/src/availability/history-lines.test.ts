import type { MonitorBucket } from '@plugboard/contract';
import { expect, it } from 'vitest';
import { bucketsOf, latencyLines, namesIn, secondsOf, successLines } from './history-lines.js';

const bucket = (more: Partial<MonitorBucket>): MonitorBucket => ({
  from: '1970-01-01T00:01:00.000Z',
  method: 'handshake',
  count: 2,
  failed: 0,
  success_rate: 1,
  mean_ms: 5,
  min_ms: 4,
  max_ms: 6,
  p50_ms: 5,
  p95_ms: 6,
  p99_ms: 6,
  errors: {},
  ...more,
});

it('one step of the probes at a time, with gaps where all failed', () => {
  const buckets = [
    bucket({ method: 'tools/call', tool: 'search' }),
    bucket({}),
    bucket({ from: '1970-01-01T00:02:00.000Z', failed: 2, success_rate: 0, p50_ms: 0 }),
  ];
  expect(namesIn(buckets)).toEqual(['handshake', 'tools/call search']);
  const handshakes = bucketsOf(buckets, 'handshake');
  expect(secondsOf(handshakes)).toEqual([60, 120]);
  expect(latencyLines(handshakes)[0]?.values).toEqual([5, null]);
  expect(successLines(handshakes)[0]?.values).toEqual([1, 0]);
});
