import type { LoadPhase, ScenarioResult } from '@plugboard/contract';
import type { ChartSeries } from '../ui/chart-props.js';

type Slices = LoadPhase['slices'];

const LINES = [
  { label: 'p50', colour: 'good' },
  { label: 'p95', colour: 'warn', dash: [8, 4] },
  { label: 'p99', colour: 'bad', dash: [2, 3] },
] as const;

/** Seconds since the phase began. */
export const secondsOf = (slices: Slices): readonly number[] => slices.map(({ at }) => at / 1000);

/** A slice without calls has no latency. */
export const latencyLines = (slices: Slices): readonly ChartSeries[] =>
  LINES.map((line) => ({ ...line, values: slices.map((slice) => (slice.calls === 0 ? null : slice[line.label])) }));

/** Calls per second of each slice, which lasts until the next, or as long as the one before. */
export const throughputLines = (slices: Slices, seconds: number): readonly ChartSeries[] => {
  const lasts = slices.map(({ at }, index) => {
    const next = slices[index + 1]?.at;
    const before = slices[index - 1]?.at;
    if (next !== undefined) return (next - at) / 1000;
    return before === undefined ? seconds : Math.min(Math.max(seconds - at / 1000, 0.001), (at - before) / 1000);
  });
  const perSecond = (count: number, index: number): number | null => {
    const lasted = lasts[index] ?? 0;
    return lasted > 0 ? count / lasted : null;
  };
  return [
    { label: 'calls per second', colour: 'info', values: slices.map(({ calls }, index) => perSecond(calls, index)) },
    {
      label: 'failed per second',
      colour: 'bad',
      dash: [2, 3],
      values: slices.map(({ failed }, index) => perSecond(failed, index)),
    },
  ];
};

type Curve = NonNullable<ScenarioResult['curve']>;

export const curveLines = (curve: Curve): readonly ChartSeries[] => [
  { label: 'p50', colour: 'good', values: curve.map(({ latency }) => latency.p50) },
  { label: 'p99', colour: 'bad', dash: [2, 3], values: curve.map(({ latency }) => latency.p99) },
];

/** What the points of a curve are. */
export const curveUnit = (scenario: ScenarioResult['scenario']): string => {
  if (scenario === 'payload') return 'bytes';
  return scenario === 'list' ? 'tools' : 'callers';
};
