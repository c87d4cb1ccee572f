import type { CallHistory, CallPeriod } from '@plugboard/contract';
import type { ChartSeries } from '../ui/chart-props.js';

/** The periods of one server, or of all. */
export const periodsOf = (history: CallHistory, server: string): readonly CallPeriod[] =>
  server === '' ? history.periods : (history.servers.find((one) => one.server === server)?.periods ?? []);

export const timesOf = (periods: readonly CallPeriod[]): readonly number[] =>
  periods.map(({ at }) => Date.parse(at) / 1000);

/** How long calls took. The lines differ in their dashes too, not in their colours alone. */
export const latencyLines = (periods: readonly CallPeriod[]): readonly ChartSeries[] => [
  { label: 'p50', colour: 'good', values: periods.map(({ p50_ms }) => p50_ms) },
  { label: 'p95', colour: 'warn', dash: [8, 4], values: periods.map(({ p95_ms }) => p95_ms) },
  { label: 'p99', colour: 'bad', dash: [2, 3], values: periods.map(({ p99_ms }) => p99_ms) },
];

/** How many calls there were, and how many of them went wrong. */
export const countLines = (periods: readonly CallPeriod[]): readonly ChartSeries[] => [
  { label: 'calls', colour: 'info', values: periods.map(({ count }) => count) },
  {
    label: 'errors',
    colour: 'bad',
    dash: [2, 3],
    values: periods.map(({ failed, tool_errors }) => failed + tool_errors),
  },
];

export interface OutcomeShare {
  readonly outcome: string;
  readonly count: number;
  /** Of all calls, from 0 to 1. */
  readonly share: number;
}

/** How calls ended, errors only, the most frequent first. */
export const errorShares = (outcomes: CallHistory['outcomes']): readonly OutcomeShare[] => {
  const total = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return Object.entries(outcomes)
    .filter(([outcome]) => outcome !== 'ok')
    .map(([outcome, count]) => ({ outcome, count, share: count / total }))
    .sort((left, right) => right.count - left.count);
};
