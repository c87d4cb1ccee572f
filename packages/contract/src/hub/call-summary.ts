import { z } from 'zod';
import { count } from '../field/count.js';
import { timestamp } from '../field/text.js';

const milliseconds = z.number().nonnegative();

export const callCounts = {
  count,
  failed: count.describe('answered with an error'),
  tool_errors: count.describe('answered with a result that has isError'),
};

export const callDurations = {
  p50_ms: milliseconds,
  p95_ms: milliseconds,
  p99_ms: milliseconds,
  max_ms: milliseconds,
};

/** How requests of one kind went since the hub started. */
const callFigures = z.object({
  ...callCounts,
  slow: count.describe('took longer than the limit for slow calls'),
  success_rate: z.number().min(0).max(1),
  ...callDurations,
});
export type CallFigures = z.infer<typeof callFigures>;

/** What `/v1/calls` answers. */
export const callSummary = z.object({
  since: timestamp,
  slow_after_ms: milliseconds,
  methods: z.array(callFigures.extend({ method: z.string() })),
  tools: z.array(callFigures.extend({ server: z.string(), tool: z.string() })),
  tools_left_out: count.describe('all tools beyond the number that is counted separately'),
});
export type CallSummary = z.infer<typeof callSummary>;
