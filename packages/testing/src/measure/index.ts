export { benchmark, benchmarkResult, quantile, type BenchmarkOptions, type BenchmarkResult } from './benchmark.js';
export { measure, type Measured } from './measure.js';
export { processUsage, type ProcessUsage } from './process-usage.js';
