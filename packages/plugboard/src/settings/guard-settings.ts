import { type QuarantineRule, quarantineRule } from '@plugboard/contract';
import { z } from 'zod';
import { type Complete, withDefaults } from './with-defaults.js';

const KIB = 1024;
const MAX_BYTES = 1024 * KIB * KIB;

const bytes = z.number().int().min(KIB).max(MAX_BYTES);
const count = z.number().int().min(1).max(1_000_000);

const limit = z.strictObject({
  concurrent: count.optional().describe('concurrent calls'),
  perMinute: count.optional().describe('calls per minute'),
});

/** The member `guard` of plugboard.json. */
export const guardFile = z
  .strictObject({
    quarantine: quarantineRule
      .optional()
      .describe('which changes of a tool wait for approval: instruction, breaking, both (default) or off'),
    maxArgumentBytes: bytes.optional().describe('the maximum size of arguments; larger ones are rejected'),
    maxResultBytes: bytes.optional().describe('the maximum size of results; larger ones are truncated with a note'),
    limits: z
      .strictObject({ server: limit.optional(), caller: limit.optional(), tool: limit.optional() })
      .optional()
      .describe('limits on calls per server, caller and tool; default: none'),
  })
  .describe('limits and quarantine between agents and tools');
export type GuardFile = z.infer<typeof guardFile>;

export type GuardSettings = Complete<GuardFile>;

export const DEFAULT_GUARD: GuardSettings = {
  quarantine: 'both',
  maxArgumentBytes: 4 * KIB * KIB,
  maxResultBytes: 16 * KIB * KIB,
  limits: {},
};

export const guardSettings = (file: GuardFile | undefined, quarantine: QuarantineRule | undefined): GuardSettings =>
  withDefaults(DEFAULT_GUARD, { ...file, quarantine: quarantine ?? file?.quarantine });
