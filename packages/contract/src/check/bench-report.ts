import { z } from 'zod';
import { count } from '../field/count.js';
import { timestamp } from '../field/text.js';
import { checkedServer, checkEra, checkOutcome, reachedTarget } from './check-report.js';
import { loadPlan, loadScenario } from './load-plan.js';

const ms = z.number().nonnegative();

/** Durations in milliseconds. */
const latencySummary = z.object({
  count,
  mean: ms,
  sd: ms,
  min: ms,
  max: ms,
  p50: ms,
  p75: ms,
  p90: ms,
  p95: ms,
  p99: ms,
  p999: ms,
  /** 95 % confidence interval of the mean. */
  meanLow: ms,
  meanHigh: ms,
});
export type LatencySummary = z.infer<typeof latencySummary>;

const loadViolationKind = z.enum([
  'id-mixed',
  'foreign-canary',
  'canary-missing',
  'progress-mixed',
  'surplus-answer',
  'schema-invalid',
]);
export type LoadViolationKind = z.infer<typeof loadViolationKind>;

/** Something that a correct server never does, however busy it is. */
export const loadViolation = z.object({ kind: loadViolationKind, count, example: z.string() });
export type LoadViolation = z.infer<typeof loadViolation>;

const loadSlice = z.object({
  /** Milliseconds since the phase began. */
  at: ms,
  calls: count,
  failed: count,
  p50: ms,
  p95: ms,
  p99: ms,
});
export type LoadSlice = z.infer<typeof loadSlice>;

/** The result of one phase of load. */
const loadPhase = z.object({
  name: z.string(),
  loop: z.enum(['closed', 'open']),
  concurrency: count,
  rate: z.number().optional(),
  seconds: z.number().nonnegative(),
  calls: count,
  failed: count,
  callsPerSecond: z.number().nonnegative(),
  /** Corrected for coordinated omission: what callers who do not wait for each other would have seen. */
  latency: latencySummary,
  /** From the moment of sending, without correction. */
  uncorrected: latencySummary,
  /** Until the first event of an answer that is a stream. */
  firstEvent: latencySummary.optional(),
  errors: z.record(z.string(), count),
  slices: z.array(loadSlice),
});
export type LoadPhase = z.infer<typeof loadPhase>;

const processFigures = z.object({
  samples: z.array(
    z.object({ at: ms, cpu: z.number(), rssBytes: count, handles: count, children: count, threads: count }),
  ),
  cpuMean: z.number(),
  cpuMax: z.number(),
  rssFirst: count,
  rssLast: count,
  rssMax: count,
  /** Percent, from the first to the last quarter of the steady part; absent when that lasted less than 30 seconds. */
  memoryGrowth: z.number().optional(),
  handlesMax: count,
  childrenMax: count,
});
export type ProcessFigures = z.infer<typeof processFigures>;

/** What the generator itself cost. */
const generatorFigures = z.object({
  cpuMicrosecondsPerCall: z.number().nonnegative(),
  /** Share of time in which its event loop was busy. */
  utilisation: z.number().nonnegative(),
  loopDelayP99: ms,
  /** How many processes called; then the other figures are their sum or the largest of them. */
  workers: count.optional(),
  /** It was so busy that the figures may be its own. */
  saturated: z.boolean(),
});
export type GeneratorFigures = z.infer<typeof generatorFigures>;

const point = z.object({ x: z.number(), latency: latencySummary, failed: count });

const scenarioResult = z.object({
  scenario: loadScenario,
  /** Why it could not be run; then it has no phases. */
  skipped: z.string().optional(),
  summary: z.string(),
  phases: z.array(loadPhase),
  /** A curve: payload bytes, number of tools, or callers, against latency. */
  curve: z.array(point).optional(),
});
export type ScenarioResult = z.infer<typeof scenarioResult>;

const thresholdResult = z.object({
  metric: z.string(),
  expression: z.string(),
  source: z.enum(['built-in', 'preset', 'target']),
  verdict: z.enum(['pass', 'fail', 'not-measured']),
  /** What was measured. */
  value: z.number().optional(),
});
export type ThresholdResult = z.infer<typeof thresholdResult>;

/** One figure of two loads, side by side. */
const loadChange = z.object({
  metric: z.enum(['p50', 'p95', 'rate']),
  /** Medians of the slices: milliseconds, or calls per second. */
  before: z.number().nonnegative(),
  after: z.number().nonnegative(),
  ratio: z.number().nonnegative(),
  /** Mann–Whitney: how likely such a difference is by chance. */
  p: z.number().min(0).max(1),
  /** How likely a slice of this run is above one of the other; 0.5 means no difference. */
  effect: z.number().min(0).max(1),
  /** better and worse: by more than the tolerance, and hardly by chance. */
  verdict: z.enum(['same', 'better', 'worse']),
});

/** The same load on something else: earlier (a baseline), or in turns with this one. */
const loadComparison = z.object({
  with: z.string(),
  kind: z.enum(['baseline', 'against']),
  /** Percent. */
  tolerance: z.number().nonnegative(),
  rounds: count.optional(),
  changes: z.array(loadChange),
});
export type LoadComparison = z.infer<typeof loadComparison>;

/** What is known of every run that puts load on a target. */
export const loadRun = {
  version: z.string(),
  target: reachedTarget,
  server: checkedServer.optional(),
  era: checkEra.optional(),
  startedAt: timestamp,
  durationMs: ms,
  violations: z.array(loadViolation),
  outcome: checkOutcome,
  reason: z.string().optional(),
};

/** A run of `plugboard bench`. */
export const benchReport = z.object({
  format: z.literal('plugboard.bench/1'),
  ...loadRun,
  plan: loadPlan,
  /** What was called. */
  call: z
    .object({ method: z.string(), tool: z.string().optional(), canary: z.boolean(), note: z.string().optional() })
    .optional(),
  scenarios: z.array(scenarioResult),
  metrics: z.record(z.string(), z.record(z.string(), z.number())),
  thresholds: z.array(thresholdResult),
  comparison: loadComparison.optional(),
  process: processFigures.optional(),
  generator: generatorFigures.optional(),
});
export type BenchReport = z.infer<typeof benchReport>;
