import type { MonitorFigures } from '@plugboard/contract';

export interface TimedCall {
  readonly durationMs: number;
  /** Undefined when the call succeeded; otherwise a short name of what went wrong. */
  readonly error?: string | undefined;
}

/** The smallest value that at least this share of the values does not exceed. */
const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted.length === 0 ? 0 : (sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);

const byCode = (calls: Iterable<TimedCall>): Record<string, number> => {
  const errors: Record<string, number> = {};
  for (const { error } of calls) if (error !== undefined) errors[error] = (errors[error] ?? 0) + 1;
  return errors;
};

/** Exact figures of some calls. Durations are those of calls that succeeded: a failure is not fast or slow. */
export const callFigures = (calls: readonly TimedCall[]): MonitorFigures => {
  const sorted = Float64Array.from(calls.flatMap(({ durationMs, error }) => (error === undefined ? [durationMs] : [])));
  sorted.sort();
  const failed = calls.length - sorted.length;
  const total = sorted.reduce((sum, duration) => sum + duration, 0);
  return {
    count: calls.length,
    failed,
    success_rate: calls.length === 0 ? null : sorted.length / calls.length,
    mean_ms: sorted.length === 0 ? 0 : total / sorted.length,
    min_ms: sorted[0] ?? 0,
    max_ms: sorted.at(-1) ?? 0,
    p50_ms: percentile(sorted, 0.5),
    p95_ms: percentile(sorted, 0.95),
    p99_ms: percentile(sorted, 0.99),
    errors: byCode(calls),
  };
};
