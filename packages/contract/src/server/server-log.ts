import { z } from 'zod';
import { serverId } from '../field/identifier.js';
import { timestamp } from '../field/text.js';

/** How a program of a server ended. */
const programExit = z.object({
  at: timestamp,
  code: z.number().int().nullable().describe('the exit code; null when a signal ended it'),
  signal: z.string().nullable(),
  reason: z.string().describe('`exited`, `signalled`, or why the hub ended it, such as `idle` or `memory-limit`'),
  error: z.string().nullable().describe('the line of its output that names the error'),
  last_lines: z.array(z.string()).describe('the last lines of its output'),
});
export type ProgramExit = z.infer<typeof programExit>;

/** How the programs of a server fare. */
export const programFacts = z.object({
  running: z.number().int().nonnegative(),
  starts_last_hour: z.number().int().nonnegative(),
  failures_last_hour: z.number().int().nonnegative().describe('starts that ended unexpectedly'),
  last_exit: programExit.nullable(),
});
export type ProgramFacts = z.infer<typeof programFacts>;

const serverLogKind = z
  .enum(['started', 'output', 'stopped', 'exited', 'not_started', 'connected', 'disconnected', 'restarted'])
  .describe('`stopped`: the program ended as intended; `exited`: it failed');
export type ServerLogKind = z.infer<typeof serverLogKind>;

/** A line of a program, or something that became of a server. Secrets are redacted. */
export const serverLogEntry = z.object({
  id: z.string().describe('increases with time; pass it as `after` to get later entries'),
  at: timestamp,
  server_id: serverId,
  kind: serverLogKind,
  pid: z.number().int().nullable(),
  text: z.string(),
});
export type ServerLogEntry = z.infer<typeof serverLogEntry>;

const MAX_WAIT_SECONDS = 60;

export const serverLogQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('how many of the latest entries to return; default: 100'),
  after: z.string().max(128).optional().describe('only entries after the one with this id'),
  wait: z.coerce
    .number()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .optional()
    .describe('seconds to wait for new entries if there are none'),
});
export type ServerLogQuery = z.infer<typeof serverLogQuery>;
