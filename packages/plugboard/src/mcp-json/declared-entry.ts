import { z } from 'zod';
import { programEntry, serverUrlEntry, urlEntry } from './mcp-entry.js';

const caFile = z
  .string()
  .min(1)
  .optional()
  .describe('a file with authorities in PEM form, relative to this one; in place of ca');

/** One server in plugboard.json. Unlike in files of other programs, a member that means nothing is an error. */
export const declaredEntry = z.union([
  z.strictObject(programEntry.shape),
  z.strictObject({ ...urlEntry.shape, caFile }),
  z.strictObject({ ...serverUrlEntry.shape, caFile }),
]);
export type DeclaredEntry = z.infer<typeof declaredEntry>;
