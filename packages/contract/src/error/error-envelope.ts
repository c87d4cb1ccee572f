import { z } from 'zod';
import { errorCodes, type ErrorCode } from './error-code.js';
import type { PlugboardError } from './plugboard-error.js';

const code = z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]);

/** One failure, as callers see it. */
export const errorDescription = z.object({
  code,
  message: z.string(),
  hint: z.string().optional(),
  /** The same for somebody at a terminal, where the words differ. */
  cli_hint: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  retry_after_ms: z.number().nonnegative().optional(),
});
export type ErrorDescription = z.infer<typeof errorDescription>;

/** The body of every answer with an error status. `detail` repeats the sentence where Letta's clients look for it. */
export const errorEnvelope = z.object({ error: errorDescription, detail: z.string() });
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;

export const toErrorEnvelope = (error: PlugboardError): ErrorEnvelope => ({
  error: error.toJSON(),
  detail: error.message,
});
