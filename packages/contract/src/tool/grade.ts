import { z } from 'zod';

export const gradeStatus = z.enum(['STRICT_COMPLIANT', 'NON_STRICT_ONLY', 'INVALID']);
export type GradeStatus = z.infer<typeof gradeStatus>;

/** One finding about a tool's definition: which rule, where, what, and how to repair it. */
export const gradeReason = z.object({
  rule: z.string(),
  /** JSON pointer into the tool's input schema; empty for the root. */
  pointer: z.string(),
  message: z.string(),
  fix: z.string().optional(),
});
export type GradeReason = z.infer<typeof gradeReason>;

/** What the schema doctor says of a tool. */
export const grade = z.object({ status: gradeStatus, reasons: z.array(gradeReason) });
export type Grade = z.infer<typeof grade>;

/** A schema with everything said that the original leaves unsaid, and its grade. */
export const normalisedSchema = z.object({ schema: z.unknown(), grade });
export type NormalisedSchema = z.infer<typeof normalisedSchema>;

/** Can a provider or host take this tool as it is, after a rewrite, or not at all? */
export const providerVerdict = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('ok') }),
  z.object({ verdict: z.literal('rewritten'), lossless: z.boolean(), changes: z.array(gradeReason) }),
  z.object({ verdict: z.literal('rejected'), reasons: z.array(gradeReason) }),
]);
export type ProviderVerdict = z.infer<typeof providerVerdict>;

/** Verdicts by profile id, such as `openai-strict`. */
export const providerVerdicts = z.record(z.string(), providerVerdict);
export type ProviderVerdicts = z.infer<typeof providerVerdicts>;
