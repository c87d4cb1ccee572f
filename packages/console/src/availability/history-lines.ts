import type { MonitorBucket } from '@plugboard/contract';
import type { ChartSeries } from '../ui/chart-props.js';
import { inOrder, seriesName } from './probe-words.js';

/** The names of what was measured, in the order of a probe. */
export const namesIn = (buckets: readonly MonitorBucket[]): readonly string[] => [
  ...new Set(inOrder(buckets).map(seriesName)),
];

export const bucketsOf = (buckets: readonly MonitorBucket[], name: string): readonly MonitorBucket[] =>
  buckets.filter((bucket) => seriesName(bucket) === name);

export const secondsOf = (buckets: readonly MonitorBucket[]): readonly number[] =>
  buckets.map(({ from }) => Date.parse(from) / 1000);

/** A step that only failed has no latency: the line has a gap there. */
const latency = (
  buckets: readonly MonitorBucket[],
  member: 'p50_ms' | 'p95_ms' | 'p99_ms',
): readonly (number | null)[] => buckets.map((bucket) => (bucket.failed >= bucket.count ? null : bucket[member]));

export const latencyLines = (buckets: readonly MonitorBucket[]): readonly ChartSeries[] => [
  { label: 'p50', colour: 'good', values: latency(buckets, 'p50_ms') },
  { label: 'p95', colour: 'warn', dash: [8, 4], values: latency(buckets, 'p95_ms') },
  { label: 'p99', colour: 'bad', dash: [2, 3], values: latency(buckets, 'p99_ms') },
];

export const successLines = (buckets: readonly MonitorBucket[]): readonly ChartSeries[] => [
  { label: 'succeeded', colour: 'info', values: buckets.map(({ success_rate }) => success_rate) },
];
