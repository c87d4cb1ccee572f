import { loadPlan, type BenchReport } from '@plugboard/contract';
import { labelOf } from '../target/label.js';
import type { CheckTarget } from '../target/target.js';
import { compareLoads, samplesOf, steadyPhases } from './compare/compare-loads.js';
import { CANCELLED } from './on-target.js';
import { runBench, type BenchOptions } from './run-bench.js';
import { judgeThresholds, thresholdsOf } from './threshold/judge-thresholds.js';
import { Metrics } from './threshold/metrics.js';

export interface AgainstOptions extends BenchOptions {
  readonly rounds: number;
  /** Percent. */
  readonly tolerance: number;
}

const LATER_WARM_UP_SECONDS = 0.5;

/** In turns, and in changing order: what happens to the machine happens to both. */
const order = (round: number): readonly ('own' | 'other')[] => (round % 2 === 0 ? ['own', 'other'] : ['other', 'own']);

const roundOf = (target: CheckTarget, round: number, rounds: number): CheckTarget => {
  const plan = target.load ?? loadPlan.parse({});
  return {
    ...target,
    load: {
      ...plan,
      scenarios: ['steady'],
      seconds: Math.max(1, plan.seconds / rounds),
      warmUpSeconds: round === 0 ? plan.warmUpSeconds : Math.min(plan.warmUpSeconds, LATER_WARM_UP_SECONDS),
      preset: undefined,
      thresholds: {},
    },
  };
};

/** Says of whom each event of a round speaks. */
const inRound =
  (label: string, onEvent: BenchOptions['onEvent']): NonNullable<BenchOptions['onEvent']> =>
  (event) => {
    if (event.type === 'progress') {
      onEvent?.({ ...event, phase: label });
    } else if (event.type === 'done') {
      onEvent?.({ ...event, result: { ...event.result, summary: `${label}: ${event.result.summary}` } });
    } else {
      onEvent?.(event);
    }
  };

const isMeasured = ({ outcome }: BenchReport): boolean => outcome === 'passed' || outcome === 'failed';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The rounds of one target as one report. */
const merged = (reports: readonly BenchReport[], first: BenchReport): BenchReport => {
  const phases = reports.flatMap(steadyPhases).map((phase, round) => ({ ...phase, name: `round ${round + 1}` }));
  const rate = sum(phases.map(({ callsPerSecond }) => callsPerSecond)) / Math.max(1, phases.length);
  return {
    ...first,
    scenarios: [
      { scenario: 'steady', summary: `${rate.toFixed(0)} calls/s in ${phases.length} rounds, in turns`, phases },
    ],
    violations: reports.flatMap(({ violations }) => violations),
    durationMs: sum(reports.map(({ durationMs }) => durationMs)),
  };
};

/** Puts the same load on two targets in turns, and compares them. */
export const runAgainst = async (
  target: CheckTarget,
  other: CheckTarget,
  { rounds, tolerance, ...options }: AgainstOptions,
): Promise<BenchReport> => {
  const plan = target.load ?? loadPlan.parse({});
  thresholdsOf(plan);
  const found = { own: [] as BenchReport[], other: [] as BenchReport[] };
  const targets = { own: target, other: { ...other, load: target.load, budgets: target.budgets } };
  const isCancelled = (): boolean => options.signal?.aborted === true;
  for (let round = 0; round < rounds && !isCancelled(); round += 1) {
    for (const side of order(round)) {
      const label = `round ${round + 1} of ${rounds}, ${labelOf(targets[side])}`;
      const onEvent = inRound(label, options.onEvent);
      const report = await runBench(roundOf(targets[side], round, rounds), { ...options, onEvent });
      found[side].push(report);
      const [whole] = found.own;
      if (isCancelled() && whole !== undefined) {
        return { ...merged(found.own, whole), plan, ...CANCELLED };
      }
      if (!isMeasured(report)) {
        const reason = `${labelOf(targets[side])}: ${report.reason ?? 'it could not be measured'}`;
        return { ...report, target: { label: labelOf(target) }, plan, reason };
      }
    }
  }
  const [first] = found.own;
  if (first === undefined) return await runBench(target, options);
  const own = merged(found.own, first);
  const changes = compareLoads(
    samplesOf({ scenarios: found.other.flatMap(({ scenarios }) => scenarios) }),
    samplesOf(own),
    tolerance,
  );
  const metrics = new Metrics();
  const phases = steadyPhases(own);
  const [calls, failed] = [sum(phases.map((phase) => phase.calls)), sum(phases.map((phase) => phase.failed))];
  metrics.failures('call_failed', { calls, failed });
  for (const { metric, ratio } of changes) metrics.set(`against_${metric}`, { value: ratio });
  const thresholds = [...judgeThresholds(plan, metrics)];
  const gone = found.own.find(({ reason }) => reason !== undefined);
  const isBroken = own.violations.length > 0 || thresholds.some(({ verdict }) => verdict === 'fail');
  return {
    ...own,
    plan,
    metrics: metrics.all,
    thresholds,
    comparison: { with: labelOf(other), kind: 'against', tolerance, rounds, changes: [...changes] },
    outcome: isBroken || gone !== undefined ? 'failed' : 'passed',
    ...(gone === undefined ? {} : { reason: gone.reason }),
  };
};
