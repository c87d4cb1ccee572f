import type { GradeReason } from '@plugboard/contract';

/** What normalising does to a schema. `docs/schema-rules.md` lists these. */
export const CHANGES = {
  'NRM-01': 'The type of the root was written out: arguments are always an object.',
  'NRM-02': 'An empty "properties" was added to the root.',
  'NRM-03': 'The object was closed: only the properties that it declares may be given.',
  'NRM-04': 'The object was marked as open, which it was without saying so.',
  'NRM-05': 'The type was written out from the values that are permitted.',
  'NRM-06': 'The type was written out from the keywords that only make sense with it.',
  'NRM-07': 'The type of what the reference leads to was written beside it.',
  'NRM-08': 'Alternatives that were exact duplicates were removed.',
  'NRM-09': 'The input is not a schema that can be read; nothing is accepted in its place.',
} as const;

export type ChangeId = keyof typeof CHANGES;

export const change = (rule: ChangeId, pointer: string): GradeReason => ({ rule, pointer, message: CHANGES[rule] });
