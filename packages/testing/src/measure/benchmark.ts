/** What many runs of one block took, in milliseconds. */
export interface BenchmarkResult {
  readonly count: number;
  readonly mean: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** The standard deviation. */
  readonly sd: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
}

export interface BenchmarkOptions {
  readonly times?: number;
  /** Runs before the first one that counts. */
  readonly warmUp?: number;
}

/** The value below which a share of the sorted ones lies, between neighbours in proportion. */
export const quantile = (sorted: readonly number[], share: number): number => {
  const at = (sorted.length - 1) * share;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
};

export const benchmarkResult = (durations: readonly number[]): BenchmarkResult => {
  const sorted = durations.toSorted((one, two) => one - two);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const sd = sorted.length < 2 ? 0 : Math.sqrt(squares / (sorted.length - 1));
  const at = (share: number): number => quantile(sorted, share);
  return {
    count: sorted.length,
    mean,
    median: at(0.5),
    min: at(0),
    max: at(1),
    sd,
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
  };
};

/** Runs a block again and again, one run after the other. */
export const benchmark = async (
  block: () => unknown,
  { times = 100, warmUp = 10 }: BenchmarkOptions = {},
): Promise<BenchmarkResult> => {
  for (let run = 0; run < warmUp; run += 1) await block();
  const durations: number[] = [];
  for (let run = 0; run < times; run += 1) {
    const startedAt = performance.now();
    await block();
    durations.push(performance.now() - startedAt);
  }
  return benchmarkResult(durations);
};
