import { z } from 'zod';
import { errorDescription } from '../error/error-envelope.js';
import { gradeReason } from '../tool/grade.js';
import { toolChange } from '../tool/quarantine.js';
import { timestamp } from '../field/text.js';

const toolName = z.string();

/** What became of a server's tools when its list was last read. All names are the server's own. */
export const syncReport = z.object({
  /** ok: all is stored. partial: some tools could not be stored. failed: the list could not be read, nothing changed. */
  status: z.enum(['ok', 'partial', 'failed']),
  added: z.array(toolName),
  updated: z.array(toolName),
  deleted: z.array(toolName),
  /** Known, but not offered to agents: the definition is unusable as it stands. */
  skipped: z.array(z.object({ name: toolName, reasons: z.array(gradeReason) })),
  /** Changed in a way that an operator has to approve before agents get the tool again. */
  quarantined: z.array(z.object({ name: toolName, changes: z.array(toolChange) })).optional(),
  /** Offered in a repaired form, because the definition breaks the protocol: what is wrong with it. */
  repaired: z.array(z.object({ name: toolName, reasons: z.array(gradeReason) })),
  /** Not stored. */
  failed: z.array(z.object({ name: toolName, error: errorDescription })),
  /** Why the list could not be read. */
  error: errorDescription.optional(),
  /** How many tools the server offered. */
  total: z.number().int().nonnegative(),
  dry_run: z.boolean(),
  at: timestamp,
});
export type SyncReport = z.infer<typeof syncReport>;
