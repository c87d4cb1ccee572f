import type { SoakFinding, SoakMetric, SoakSample } from '@plugboard/contract';
import { mannKendall, theilSen, type Point } from './statistics/theil-sen.js';

interface Limit {
  /** Growth per call that is tolerated. */
  readonly perCall: number;
  /** Growth over the plateau below which nothing is worth a word: absolute, and as a share of the level. */
  readonly least: number;
  readonly share: number;
  readonly words: (value: number) => string;
}

const kibibytes = (bytes: number): string => `${(bytes / 1_024).toFixed(2)} KiB`;

const LIMITS: Readonly<Record<Exclude<SoakMetric, 'sessions'>, Limit>> = {
  rss: { perCall: 1_024, least: 4 * 1_048_576, share: 0.02, words: kibibytes },
  handles: { perCall: 0.002, least: 10, share: 0.1, words: (value) => `${value.toFixed(4)} handles` },
  latency: { perCall: 0, least: 10, share: 2, words: (value) => `${(value * 1_000).toFixed(3)} µs` },
};

/** So many samples before anything is certain. */
const ENOUGH = 40;
const CERTAIN = 0.001;
const LIKELY = 0.01;
const PLAUSIBLE = 0.05;
/** A heap warms up by calls rather than by time. */
const WARM_UP_CALLS = 5_000;
/** Between two full collections a heap rises for thousands of calls: so many must show that it does not come down. */
const ENOUGH_CALLS = 25_000;

const count = (calls: number): string => calls.toLocaleString('en-US');

/** Why so few samples count: the time was short, or the calls were few. */
const tooFewSamples = (samples: readonly SoakSample[], warmUpMs: number): string => {
  const last = samples.at(-1);
  const isSlow = (last?.at ?? 0) >= warmUpMs && (last?.calls ?? 0) < 2 * WARM_UP_CALLS;
  return isSlow
    ? `Too few samples after the warm-up, which lasts for ${count(WARM_UP_CALLS)} calls; there were ${count(last?.calls ?? 0)} in all. Raise --rate or --duration.`
    : 'Too few samples after the warm-up. Raise --duration.';
};

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, two) => one - two);
  return sorted[sorted.length >> 1] ?? 0;
};

const quarters = (values: readonly number[]): { readonly first: number; readonly last: number } => {
  const size = Math.max(1, values.length >> 2);
  return { first: medianOf(values.slice(0, size)), last: medianOf(values.slice(-size)) };
};

/**
 * The later half decides whether a rise goes on: a heap that warms up rises, too, and then stays. It must rise by more than is
 * tolerated, in both of its parts.
 */
export const judgeGrowth = (
  metric: Exclude<SoakMetric, 'sessions'>,
  samples: readonly SoakSample[],
  warmUpMs: number,
): SoakFinding => {
  const limit = LIMITS[metric];
  const settled = samples.filter(
    (sample) => sample.at >= warmUpMs && sample.calls >= WARM_UP_CALLS && sample[metric] !== undefined,
  );
  if (samples.length > 0 && samples.every((sample) => sample[metric] === undefined)) {
    return { metric, verdict: 'not-measured', detail: 'The process id of the server is unknown. Give it with --pid.' };
  }
  const later = settled.slice(settled.length >> 1);
  const valuesOf = (part: readonly SoakSample[]): readonly number[] => part.map((sample) => sample[metric] ?? 0);
  const pointsOf = (part: readonly SoakSample[]): readonly Point[] =>
    part.map((sample): Point => [sample.calls, sample[metric] ?? 0]);
  const slope = theilSen(pointsOf(later));
  if (settled.length < ENOUGH || slope === undefined) {
    return { metric, verdict: 'undecided', detail: tooFewSamples(samples, warmUpMs) };
  }
  const whole = mannKendall(valuesOf(settled));
  const half = mannKendall(valuesOf(later));
  const { first, last } = quarters(valuesOf(settled));
  const grown = last - first;
  const isWorthIt = grown >= limit.least && grown >= first * limit.share;
  // A leak goes on in each part; a heap that warms up in steps does not.
  const middle = later.length >> 1;
  const goesOn = [later.slice(0, middle), later.slice(middle)].every((part) => {
    const trend = mannKendall(valuesOf(part));
    return trend.z > 0 && trend.p < PLAUSIBLE && (theilSen(pointsOf(part))?.slope ?? 0) > limit.perCall;
  });
  const rises = whole.z > 0 && whole.p < CERTAIN && half.z > 0 && half.p < LIKELY;
  const base = {
    metric,
    slopePerCall: slope.slope,
    slopeLow: slope.low,
    slopeHigh: slope.high,
    p: half.p,
    from: later[0]?.at ?? 0,
  };
  const per = `${limit.words(slope.slope)} per call (95 %: ${limit.words(slope.low)} to ${limit.words(slope.high)}), p = ${half.p.toPrecision(2)}`;
  const quarter = Math.max(1, settled.length >> 2);
  const staysUp = Math.min(...valuesOf(settled.slice(-quarter))) > Math.max(...valuesOf(settled.slice(0, quarter)));
  if (isWorthIt && rises && goesOn && staysUp && slope.low > limit.perCall) {
    const calls = (settled.at(-1)?.calls ?? 0) - (settled[0]?.calls ?? 0);
    return calls >= ENOUGH_CALLS
      ? { ...base, verdict: 'grows', detail: `It grows without a plateau: ${per}.` }
      : {
          ...base,
          verdict: 'undecided',
          detail: `It grows, but a leak is certain only after ${count(ENOUGH_CALLS)} calls beyond the warm-up, and there were ${count(calls)} so far: ${per}. Raise --rate or --duration.`,
        };
  }
  const isFlat =
    metric === 'latency' ? !isWorthIt : slope.high < limit.perCall || (grown < limit.least && half.p > LIKELY);
  return isFlat
    ? { ...base, verdict: 'stable', detail: `It stays on a plateau: ${per}.` }
    : { ...base, verdict: 'undecided', detail: `Neither a leak nor its absence is certain: ${per}.` };
};

/** A session that was ended with DELETE must not answer any more. */
export const judgeSessions = (samples: readonly SoakSample[], deleted: number): SoakFinding => {
  const metric = 'sessions';
  if (deleted === 0) return { metric, verdict: 'not-measured', detail: 'No session was ended with DELETE.' };
  const alive = samples.at(-1)?.sessions ?? 0;
  return alive > 0
    ? { metric, verdict: 'grows', detail: `${alive} of ${deleted} sessions that were ended with DELETE still answer.` }
    : {
        metric,
        verdict: 'stable',
        detail: `None of the ${deleted} sessions that were ended with DELETE still answers.`,
      };
};
