import { z } from 'zod';
import { count } from '../field/count.js';
import {
  checkedServer,
  checkLevel,
  checkOutcome,
  checkResult,
  checkSummary,
  checkTier,
  reachedTarget,
} from './check-report.js';
import { serverId } from '../field/identifier.js';
import { timestamp } from '../field/text.js';

/** Of everything that the referee carries out. */
export const runId = z
  .string()
  .regex(/^\d{8}T\d{9}Z-[a-z0-9]+$/u)
  .describe('the start time of the run and a unique suffix');

/** A run of the referee that the hub carries out or has kept. */
export const checkRun = z.object({
  id: runId,
  state: z.enum(['queued', 'running', 'finished']),
  target: reachedTarget,
  server_id: serverId.optional().describe('the registered server that is checked, while the hub remembers it'),
  tier: checkTier,
  created_at: timestamp,
  finished_at: timestamp.optional(),
  done: count.describe('the number of checks with a verdict'),
  planned: count.optional().describe('the number of planned checks; unknown until the server was reached'),
  outcome: checkOutcome.optional(),
  reason: z.string().optional().describe('why the run failed: it was cancelled, or the server did not respond'),
  summary: checkSummary.optional(),
});
export type CheckRun = z.infer<typeof checkRun>;

const ofRun = { at: timestamp, run_id: runId };

export const CHECK_RUN_EVENTS = [
  z.object({ event: z.literal('check_run_queued'), ...ofRun, label: z.string() }),
  z.object({ event: z.literal('check_run_started'), ...ofRun }),
  z.object({ event: z.literal('check_run_reached'), ...ofRun, server: checkedServer, planned: count }),
  z.object({
    event: z.literal('check_judged'),
    ...ofRun,
    id: z.string(),
    era: checkResult.shape.era,
    level: checkLevel,
    verdict: checkResult.shape.verdict,
    detail: z.string().optional(),
    done: count,
    planned: count,
  }),
  z.object({ event: z.literal('check_run_finished'), ...ofRun, run: checkRun }),
] as const;

/** How a run goes, as `/v1/checks/{run_id}/events` and `/v1/events` tell it. */
export const checkRunEvent = z.discriminatedUnion('event', [...CHECK_RUN_EVENTS]);
export type CheckRunEvent = z.infer<typeof checkRunEvent>;

const checkReportFormat = z.enum(['json', 'markdown', 'junit', 'sarif', 'html', 'summary', 'badge']);
export type CheckReportFormat = z.infer<typeof checkReportFormat>;

export const checkReportQuery = z.object({
  format: checkReportFormat.default('json').describe('the format of the report'),
});
