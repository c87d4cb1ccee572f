import type { LatencySummary, LoadPhase } from '@plugboard/contract';

/** What was measured, by metric and statistic. */
export class Metrics {
  readonly #values = new Map<string, Readonly<Record<string, number>>>();

  set(metric: string, statistics: Readonly<Record<string, number>>): void {
    this.#values.set(metric, statistics);
  }

  latency(metric: string, { count, mean, sd, min, max, p50, p75, p90, p95, p99, p999 }: LatencySummary): void {
    if (count === 0) return;
    const percentiles = { 'p(50)': p50, 'p(75)': p75, 'p(90)': p90, 'p(95)': p95, 'p(99)': p99, 'p(99.9)': p999 };
    this.set(metric, { avg: mean, med: p50, sd, min, max, ...percentiles });
  }

  failures(metric: string, { calls, failed }: Pick<LoadPhase, 'calls' | 'failed'>): void {
    this.set(metric, { count: failed, rate: calls === 0 ? 1 : failed / calls });
  }

  get(metric: string, statistic: string): number | undefined {
    return this.#values.get(metric)?.[statistic];
  }

  get all(): Readonly<Record<string, Readonly<Record<string, number>>>> {
    return Object.fromEntries(this.#values);
  }
}
