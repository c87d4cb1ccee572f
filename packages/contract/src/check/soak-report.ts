import { z } from 'zod';
import { count } from '../field/count.js';
import { loadRun } from './bench-report.js';

const ms = z.number().nonnegative();

/** What `plugboard soak` watches. */
const soakMetric = z.enum(['rss', 'handles', 'latency', 'sessions']);
export type SoakMetric = z.infer<typeof soakMetric>;

/** One look at the target, about once per second. */
const soakSample = z.object({
  /** Milliseconds since the load began. */
  at: ms,
  /** Calls so far. */
  calls: count,
  failed: count,
  /** The median of the last interval. */
  latency: ms,
  /** Sessions that were ended with DELETE and still answered, so far. */
  sessions: count,
  rss: count.optional(),
  handles: count.optional(),
});
export type SoakSample = z.infer<typeof soakSample>;

/** grows: a leak. undecided: neither a leak nor its absence is certain. */
const soakVerdict = z.enum(['stable', 'grows', 'undecided', 'not-measured']);
export type SoakVerdict = z.infer<typeof soakVerdict>;

const soakFinding = z.object({
  metric: soakMetric,
  verdict: soakVerdict,
  /** Theil–Sen, per call, after the plateau; bytes, handles, milliseconds or sessions. */
  slopePerCall: z.number().optional(),
  /** The 95 % confidence interval of the slope. */
  slopeLow: z.number().optional(),
  slopeHigh: z.number().optional(),
  /** Mann–Kendall: how likely such a trend is by chance. */
  p: z.number().min(0).max(1).optional(),
  /** Where the plateau begins: milliseconds since the load began. */
  from: ms.optional(),
  detail: z.string(),
});
export type SoakFinding = z.infer<typeof soakFinding>;

/** What `plugboard soak` does to a target. */
const soakPlan = z.object({
  /** At most. */
  seconds: z.number().positive(),
  warmUpSeconds: z.number().nonnegative(),
  /** Calls per second. */
  rate: z.number().positive(),
  concurrency: z.number().int().positive(),
  /** Sessions per second that are opened and ended again: with DELETE, and without. */
  churn: z.number().nonnegative(),
  churnMode: z.enum(['delete', 'abandon', 'both']),
});
export type SoakPlan = z.infer<typeof soakPlan>;

/** A run of `plugboard soak`. */
export const soakReport = z.object({
  format: z.literal('plugboard.soak/1'),
  ...loadRun,
  plan: soakPlan,
  call: z.object({ method: z.string(), tool: z.string().optional(), note: z.string().optional() }).optional(),
  /** Sessions that were opened and ended, by how they ended. */
  churned: z.object({ deleted: count, abandoned: count, refused: count }),
  /** Failed calls by the class of their error. */
  errors: z.record(z.string(), count).optional(),
  samples: z.array(soakSample),
  findings: z.array(soakFinding),
  /** Every metric was decided before the time was over. */
  stoppedEarly: z.boolean(),
});
export type SoakReport = z.infer<typeof soakReport>;
