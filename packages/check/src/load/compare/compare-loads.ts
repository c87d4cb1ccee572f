import type { BenchReport, LoadComparison, LoadPhase } from '@plugboard/contract';
import { mannWhitney } from '../statistics/mann-whitney.js';

type Change = LoadComparison['changes'][number];

/** What the slices of a steady load say of it. */
export interface LoadSamples {
  readonly p50: readonly number[];
  readonly p95: readonly number[];
  readonly rate: readonly number[];
}

/** A difference that is hardly chance. */
const CERTAIN = 0.01;
/** Fewer slices decide nothing. */
const ENOUGH = 5;

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, two) => one - two);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
};

/** The last slice of a phase is cut short. */
const slicesOf = ({ slices }: LoadPhase): LoadSamples => {
  const [first, second] = slices;
  const whole = slices.slice(0, -1).filter(({ calls }) => calls > 0);
  const perSecond = first === undefined || second === undefined ? 0 : 1_000 / (second.at - first.at);
  return {
    p50: whole.map(({ p50 }) => p50),
    p95: whole.map(({ p95 }) => p95),
    rate: whole.map(({ calls, failed }) => (calls - failed) * perSecond),
  };
};

/** The steady phases of a report, whatever their number. */
export const steadyPhases = ({ scenarios }: Pick<BenchReport, 'scenarios'>): readonly LoadPhase[] =>
  scenarios.flatMap(({ scenario, phases }) =>
    scenario === 'steady' ? phases.filter(({ name }) => name !== 'health') : [],
  );

export const samplesOf = (report: Pick<BenchReport, 'scenarios'>): LoadSamples => {
  const parts = steadyPhases(report).map(slicesOf);
  return {
    p50: parts.flatMap(({ p50 }) => p50),
    p95: parts.flatMap(({ p95 }) => p95),
    rate: parts.flatMap(({ rate }) => rate),
  };
};

const changeOf = (
  metric: Change['metric'],
  before: readonly number[],
  after: readonly number[],
  tolerance: number,
): Change => {
  const [from, to] = [median(before), median(after)];
  const ratio = from === 0 ? 1 : to / from;
  const { p, effect } = mannWhitney(before, after);
  const rises = ratio > 1 + tolerance / 100;
  const falls = ratio < 1 - tolerance / 100;
  const isCertain = p < CERTAIN && Math.min(before.length, after.length) >= ENOUGH;
  const isWorse = metric === 'rate' ? falls : rises;
  const verdict = !isCertain || !(rises || falls) ? 'same' : isWorse ? 'worse' : 'better';
  return { metric, before: from, after: to, ratio, p, effect, verdict };
};

/** Two loads by their slices; a difference counts when it is larger than the tolerance (percent) and hardly chance. */
export const compareLoads = (before: LoadSamples, after: LoadSamples, tolerance: number): readonly Change[] =>
  (['p50', 'p95', 'rate'] as const).map((metric) => changeOf(metric, before[metric], after[metric], tolerance));
