import type { GradeReason } from '@plugboard/contract';

/**
 * What a rewrite does to the set of arguments that can be expressed.
 * same: exactly the arguments of the original. encoded: the same, but part of it is written as JSON text, which the
 * provider cannot check. wider: a constraint is only described, and enforced after the mapping back. narrower: some
 * arguments can no longer be expressed. shortened: only text for the model was lost.
 */
export type Effect = 'same' | 'encoded' | 'wider' | 'narrower' | 'shortened';

/** One thing that was changed; `rule` names the rewrite. */
export interface AdaptChange extends GradeReason {
  readonly effect: Effect;
}

export const isLossless = (changes: readonly AdaptChange[]): boolean =>
  changes.every(({ effect }) => effect === 'same');
