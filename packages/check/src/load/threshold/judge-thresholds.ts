import type { LoadPlan, ThresholdResult } from '@plugboard/contract';
import type { Metrics } from './metrics.js';
import { BUILT_IN, PRESETS } from './presets.js';
import { parseThreshold, type Threshold } from './threshold.js';

type Sourced = Threshold & { readonly source: ThresholdResult['source'] };

const read = (thresholds: LoadPlan['thresholds'], source: Sourced['source']): readonly Sourced[] =>
  Object.entries(thresholds).flatMap(([metric, expressions]) =>
    expressions.map((expression) => ({ ...parseThreshold(metric, expression), source })),
  );

/** The thresholds of a plan. Those of the target replace what the preset and the built-in ones say of the same metric. */
export const thresholdsOf = ({ preset, thresholds }: LoadPlan): readonly Sourced[] => {
  const given = preset === undefined ? {} : PRESETS[preset];
  const without = (from: LoadPlan['thresholds'], ...others: readonly object[]): LoadPlan['thresholds'] =>
    Object.fromEntries(
      Object.entries(from).filter(([metric]) => !others.some((other) => Object.hasOwn(other, metric))),
    );
  return [
    ...read(without(BUILT_IN, given, thresholds), 'built-in'),
    ...read(without(given, thresholds), 'preset'),
    ...read(thresholds, 'target'),
  ];
};

export const judgeThresholds = (plan: LoadPlan, metrics: Metrics): readonly ThresholdResult[] =>
  thresholdsOf(plan).flatMap(({ metric, statistic, expression, source, holds }): readonly ThresholdResult[] => {
    const value = metrics.get(metric, statistic);
    const base = { metric, expression, source };
    if (value === undefined) return source === 'built-in' ? [] : [{ ...base, verdict: 'not-measured' }];
    // JSON has no infinity: what never ended has no value.
    const shown = Number.isFinite(value) ? { value } : {};
    return [{ ...base, ...shown, verdict: holds(value) ? 'pass' : 'fail' }];
  });
