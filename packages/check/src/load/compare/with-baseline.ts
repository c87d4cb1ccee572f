import { PlugboardError, type BenchReport } from '@plugboard/contract';
import { compareLoads, samplesOf, steadyPhases } from './compare-loads.js';

export interface ComparisonOptions {
  /** Percent that is tolerated. */
  readonly tolerance: number;
}

const sameLoad = (one: BenchReport, two: BenchReport): boolean =>
  one.plan.concurrency === two.plan.concurrency && one.plan.rate === two.plan.rate && one.call?.tool === two.call?.tool;

const callersOf = ({ plan: { concurrency, rate } }: BenchReport): string =>
  rate === undefined ? `${concurrency} callers without a rate` : `${concurrency} callers, ${rate} calls per second,`;

/** Compares a run with an earlier one, and fails it when it became worse. */
export const withBaseline = (
  report: BenchReport,
  baseline: BenchReport,
  { tolerance }: ComparisonOptions,
): BenchReport => {
  if (steadyPhases(report).length === 0) return report;
  if (steadyPhases(baseline).length === 0) {
    throw new PlugboardError('INVALID_ARGUMENT', 'The baseline has no steady load to compare with.', {
      hint: 'Write one with --scenario steady --report baseline.json.',
    });
  }
  if (!sameLoad(report, baseline)) {
    throw new PlugboardError('INVALID_ARGUMENT', 'The baseline was measured with another load.', {
      hint: `It had ${callersOf(baseline)} and called ${baseline.call?.tool ?? baseline.call?.method ?? 'nothing'}. Use the same flags.`,
    });
  }
  const changes = compareLoads(samplesOf(baseline), samplesOf(report), tolerance);
  const isWorse = changes.some(({ verdict }) => verdict === 'worse');
  return {
    ...report,
    comparison: { with: baseline.startedAt, kind: 'baseline', tolerance, changes: [...changes] },
    outcome: report.outcome === 'passed' && isWorse ? 'failed' : report.outcome,
  };
};
