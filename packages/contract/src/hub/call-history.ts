import { z } from 'zod';
import { count } from '../field/count.js';
import { timestamp } from '../field/text.js';
import { callCounts, callDurations } from './call-summary.js';

/** Calls of tools in one period. Periods without a call are left out. */
const callPeriod = z.object({
  at: timestamp.describe('when the period began'),
  ...callCounts,
  ...callDurations,
});
export type CallPeriod = z.infer<typeof callPeriod>;

/** What `/v1/calls/history` answers: how calls of tools went in the last hour. */
export const callHistory = z.object({
  period_seconds: count,
  periods: z.array(callPeriod),
  outcomes: z.record(z.string(), count).describe('how calls ended: `ok`, `tool_error`, or an error code'),
  servers: z.array(z.object({ server: z.string(), periods: z.array(callPeriod) })),
  servers_left_out: count.describe('calls of servers beyond the number that has a history'),
});
export type CallHistory = z.infer<typeof callHistory>;
