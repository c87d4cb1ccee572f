import { z } from 'zod';
import { timestamp } from '../field/text.js';

/** One difference between the accepted definition of a tool and the one its server sends now. */
export const toolChange = z.object({
  kind: z.enum(['breaking', 'compatible', 'instruction']),
  code: z.string(),
  /** JSON pointer into the tool's definition. */
  pointer: z.string(),
  sentence: z.string(),
});
export type ToolChange = z.infer<typeof toolChange>;

/** Which changes keep a tool from agents until an operator approves them. */
export const quarantineRule = z.enum(['instruction', 'breaking', 'both', 'off']);
export type QuarantineRule = z.infer<typeof quarantineRule>;

/** Why a tool is kept from agents although it is usable: what was accepted is not what the server sends now. */
export const quarantine = z.object({
  since: timestamp,
  kind: z.enum(['breaking', 'instruction']).describe('the most severe change'),
  accepted_hash: z.string().describe('the contract hash that was accepted'),
  changes: z.array(toolChange),
  rejected_at: timestamp
    .optional()
    .describe('since when an operator rejects the present definition; missing while nobody has decided about it'),
});
export type Quarantine = z.infer<typeof quarantine>;

/** Approves or rejects the definition that the server sends now; with a hash, only if it is still that one. */
export const toolApproval = z.strictObject({ contract_hash: z.string().max(128).optional() });
export type ToolApproval = z.infer<typeof toolApproval>;
