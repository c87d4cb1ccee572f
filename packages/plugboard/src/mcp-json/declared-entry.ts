import { z } from 'zod';
import { programEntry, serverUrlEntry, urlEntry } from './mcp-entry.js';

const caFile = z
  .string()
  .min(1)
  .optional()
  .describe('a PEM file with certificate authorities, relative to this file; replaces ca');

/** One server in plugboard.json. Unlike in files of other programs, a member that means nothing is an error. */
export const declaredEntry = z.union([
  z.strictObject(programEntry.shape),
  z.strictObject({ ...urlEntry.shape, caFile }),
  z.strictObject({ ...serverUrlEntry.shape, caFile }),
]);
export type DeclaredEntry = z.infer<typeof declaredEntry>;
