import { z } from 'zod';
import { auditId } from '../field/identifier.js';
import { pageQuery } from '../field/page.js';
import { timestamp } from '../field/text.js';

/** What somebody did, or tried to do: a change through the admin API, or a call of a tool. */
export const auditEntry = z.object({
  id: auditId,
  at: timestamp,
  kind: z.enum(['admin', 'call']),
  actor: z.string().describe('the principal; `local` if no access control is configured'),
  action: z.string().describe('the operation of the admin API, or the MCP method'),
  target: z.string().describe('the object of the action, such as `weather/forecast`'),
  outcome: z.string().describe('`ok`, `tool_error`, or an error code'),
  duration_ms: z.number().nonnegative(),
  details: z.record(z.string(), z.unknown()).describe('values of arguments and bodies are replaced by their kind'),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** An entry before it has been numbered. */
export type AuditRecord = Omit<AuditEntry, 'id'>;

/** The same as it is kept: the time in milliseconds since 1970, the details as JSON. */
export interface WrittenAuditRecord extends Omit<AuditRecord, 'at' | 'details'> {
  readonly at: number;
  readonly details: string;
}

/** The newest entries come first; `after` is the id of the last one of the page before. */
export const auditQuery = pageQuery.extend({
  kind: z.enum(['admin', 'call']).optional(),
  since: timestamp.optional().describe('only what happened at that time or later'),
});
export type AuditQuery = z.infer<typeof auditQuery>;
