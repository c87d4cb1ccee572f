import type { GradeReason } from '@plugboard/contract';

/** What normalising does to a schema. `docs/schema-rules.md` lists these. */
export const CHANGES = {
  'NRM-01': '"type": "object" was added to the root: arguments are always an object.',
  'NRM-02': 'An empty "properties" was added to the root.',
  'NRM-03': 'The object was closed: only declared properties are allowed.',
  'NRM-04': 'The object was implicitly open and is now marked as open.',
  'NRM-05': 'The type was inferred from the permitted values.',
  'NRM-06': 'The type was inferred from keywords that only apply to it.',
  'NRM-07': 'The type of the target was added next to the reference.',
  'NRM-08': 'Alternatives that were exact duplicates were removed.',
  'NRM-09': 'The input is not a readable schema; the result accepts nothing.',
} as const;

export type ChangeId = keyof typeof CHANGES;

export const change = (rule: ChangeId, pointer: string): GradeReason => ({ rule, pointer, message: CHANGES[rule] });
