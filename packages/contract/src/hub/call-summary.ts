import { z } from 'zod';
import { timestamp } from '../field/text.js';

const milliseconds = z.number().nonnegative();

/** How requests of one kind went since the hub started. */
export const callFigures = z.object({
  count: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative().describe('answered with an error'),
  tool_errors: z.number().int().nonnegative().describe('answered with a result that has isError'),
  slow: z.number().int().nonnegative().describe('took longer than the limit for slow calls'),
  success_rate: z.number().min(0).max(1),
  p50_ms: milliseconds,
  p95_ms: milliseconds,
  p99_ms: milliseconds,
  max_ms: milliseconds,
});
export type CallFigures = z.infer<typeof callFigures>;

/** What `/v1/calls` answers. */
export const callSummary = z.object({
  since: timestamp,
  slow_after_ms: milliseconds,
  methods: z.array(callFigures.extend({ method: z.string() })),
  tools: z.array(callFigures.extend({ server: z.string(), tool: z.string() })),
  tools_left_out: z.number().int().nonnegative().describe('all tools beyond the number that is counted separately'),
});
export type CallSummary = z.infer<typeof callSummary>;
