import { z } from 'zod';
import { count } from '../field/count.js';
import { serverId } from '../field/identifier.js';
import { timestamp } from '../field/text.js';
import { checkOutcome, reachedTarget } from './check-report.js';
import { runId } from './check-run.js';

/**
 * What a hub puts on a server when it is asked to: little enough that neither notices much. `plugboard bench` has no such
 * limits, because it is a process of its own.
 */
export const benchStart = z.strictObject({
  name: z.string().min(1).describe('the registered server, by name or id'),
  tool: z
    .string()
    .min(1)
    .optional()
    .describe('the tool to call; default: a read-only tool, or health requests if there is none'),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('the arguments of the tool; default: generated from its schema'),
  seconds: z.number().int().min(1).max(60).default(10).describe('the duration of the measurement'),
  rate: z.number().int().min(1).max(200).default(20).describe('calls per second'),
  concurrency: z.number().int().min(1).max(16).default(4).describe('the number of concurrent callers'),
});
export type BenchStart = z.infer<typeof benchStart>;
export type BenchStartInput = z.input<typeof benchStart>;

const ms = z.number().nonnegative();

/** Figures of the load, until now or at its end. Latencies in milliseconds. */
const benchFigures = z.object({
  calls: count,
  failed: count,
  calls_per_second: z.number().nonnegative(),
  p50: ms,
  p95: ms,
  p99: ms,
});
export type BenchFigures = z.infer<typeof benchFigures>;

/** A benchmark that a hub carries out or has kept. */
export const benchRun = z.object({
  id: runId,
  state: z.enum(['queued', 'running', 'finished']),
  target: reachedTarget,
  server_id: serverId.optional().describe('the registered server that is measured'),
  tool: z.string().optional().describe('the tool that is called, once it is known'),
  seconds: z.number().positive(),
  rate: z.number().positive(),
  concurrency: count,
  created_at: timestamp,
  finished_at: timestamp.optional(),
  phase: z.string().optional().describe('the current phase: the warm-up, or the measured load'),
  done: z.number().min(0).max(1).describe('how much of that phase is completed'),
  figures: benchFigures
    .optional()
    .describe(
      'the figures of that phase so far, or of the measured load when the run has ended. Latencies are measured from the moment a call is sent.',
    ),
  outcome: checkOutcome.optional(),
  reason: z.string().optional().describe('why there is no complete measurement'),
});
export type BenchRun = z.infer<typeof benchRun>;

const benchReportFormat = z.enum(['json', 'markdown', 'junit', 'html', 'summary']);
export type BenchReportFormat = z.infer<typeof benchReportFormat>;

export const benchReportQuery = z.object({
  format: benchReportFormat.default('json').describe('the format of the report'),
});
