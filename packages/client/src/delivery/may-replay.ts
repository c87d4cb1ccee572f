import type { ErrorCode } from '@plugboard/contract';
import type { McpClientError } from '../error/client-error.js';
import { hasEndedAtStart } from '../error/process-error.js';

export interface ReplayQuestion {
  readonly error: McpClientError;
  /** May the call run twice without harm? */
  readonly repeatable: boolean;
  /** How often it was tried. */
  readonly tries: number;
  readonly maxRetries: number;
}

/**
 * Failures of the link: a fresh one may do. After anything else the same request would fail the same way,
 * and whoever waited for a deadline has waited long enough.
 */
const CURABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UPSTREAM_REFUSED',
  'UPSTREAM_CLOSED',
  'UPSTREAM_UNAVAILABLE',
  'SESSION_LOST',
  'PROCESS_EXITED',
]);

/** Is it safe and promising to send the same call again? */
export const mayReplay = ({ error, repeatable, tries, maxRetries }: ReplayQuestion): boolean => {
  const safe = error.delivery === 'not-executed' || (error.delivery === 'ambiguous' && repeatable);
  return safe && CURABLE.has(error.code) && !hasEndedAtStart(error) && tries <= maxRetries;
};
