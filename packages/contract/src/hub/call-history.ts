import { z } from 'zod';
import { timestamp } from '../field/text.js';

const milliseconds = z.number().nonnegative();
const amount = z.number().int().nonnegative();

/** Calls of tools in one period. Periods without a call are left out. */
const callPeriod = z.object({
  at: timestamp.describe('when the period began'),
  count: amount,
  failed: amount.describe('answered with an error'),
  tool_errors: amount.describe('answered with a result that has isError'),
  p50_ms: milliseconds,
  p95_ms: milliseconds,
  p99_ms: milliseconds,
  max_ms: milliseconds,
});
export type CallPeriod = z.infer<typeof callPeriod>;

/** What `/v1/calls/history` answers: how calls of tools went in the last hour. */
export const callHistory = z.object({
  period_seconds: amount,
  periods: z.array(callPeriod),
  outcomes: z.record(z.string(), amount).describe('how calls ended: `ok`, `tool_error`, or an error code'),
  servers: z.array(z.object({ server: z.string(), periods: z.array(callPeriod) })),
  servers_left_out: amount.describe('calls of servers beyond the number that has a history'),
});
export type CallHistory = z.infer<typeof callHistory>;
