import { isErrorCode } from '@plugboard/contract';
import { z } from 'zod';

const failure = z.object({
  code: z.string().refine(isErrorCode),
  message: z.string(),
  hint: z.string().optional(),
  rpc: z.unknown().optional(),
});

/** What is kept of a request with an idempotency key. */
export const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answer'), text: z.string() }),
  z.object({ kind: z.literal('failure'), failure }),
  /** It was carried out; what it was answered is too large to be kept. */
  z.object({ kind: z.literal('not-kept') }),
  /** It may have been carried out. */
  z.object({ kind: z.literal('unknown') }),
]);

export type Outcome = z.infer<typeof outcome>;
