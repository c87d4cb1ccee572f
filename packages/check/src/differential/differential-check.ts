import type { CheckLevel, CheckSource } from '@plugboard/contract';
import { spec } from '../checks/instrument/spec.js';
import type { Exchange } from '../session/exchange.js';
import type { Difference } from './difference.js';
import type { Pair } from './pair.js';

/** The outcome of a comparison. */
export type Comparison =
  | { readonly kind: 'same'; readonly detail?: string }
  | {
      readonly kind: 'different';
      readonly differences: readonly Difference[];
      /** What showed the first of them, on both sides. */
      readonly exchanges?: readonly [Exchange, Exchange] | undefined;
    }
  | { readonly kind: 'not-applicable'; readonly detail: string }
  | { readonly kind: 'not-verified'; readonly detail: string; readonly supply: string };

/** One statement about two ways to the same server. */
export interface DifferentialCheck {
  readonly id: string;
  readonly title: string;
  readonly level: CheckLevel;
  readonly source: CheckSource;
  readonly remedy: string;
  compare(pair: Pair): Promise<Comparison>;
}

/** The sentence behind all of them. */
export const IDENTICAL = spec('2026-07-28', 'basic/transports', 'Protocol semantics are identical on every transport.');

export const compared = (differences: readonly Difference[], exchanges?: readonly [Exchange, Exchange]): Comparison =>
  differences.length === 0 ? { kind: 'same' } : { kind: 'different', differences, exchanges };
