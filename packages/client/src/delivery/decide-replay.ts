import type { ErrorCode } from '@plugboard/contract';
import type { McpClientError } from '../error/client-error.js';

export interface ReplayQuestion {
  readonly error: McpClientError;
  /** May the call run twice without harm? */
  readonly repeatable: boolean;
  readonly attempt: number;
  readonly maxRetries: number;
}

export type ReplayDecision =
  | 'replay'
  /** The error is what the caller needs to know. */
  | 'give-up'
  /** The call may have run, and may not run twice. */
  | 'ambiguous';

/** Failures of the link. A fresh one may do; after anything else the same request would fail the same way. */
const CURABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UPSTREAM_REFUSED',
  'UPSTREAM_CLOSED',
  'UPSTREAM_UNAVAILABLE',
  'SESSION_LOST',
  'PROCESS_EXITED',
]);

/** Whoever waited for a deadline has waited long enough; whoever gave up wants no more. */
export const decideReplay = ({ error, repeatable, attempt, maxRetries }: ReplayQuestion): ReplayDecision => {
  const ambiguous = error.delivery === 'ambiguous' && !repeatable;
  if (error.kind === 'cancelled' || error.delivery === 'answered') {
    return 'give-up';
  }
  if (ambiguous) {
    return 'ambiguous';
  }
  return CURABLE.has(error.code) && attempt <= maxRetries ? 'replay' : 'give-up';
};
