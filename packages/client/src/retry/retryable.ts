import type { ErrorCode } from '@plugboard/contract';
import type { McpClientError } from '../error/client-error.js';
import { isRefusedByUs } from '../error/own-refusal.js';
import { hasEndedAtStart } from '../error/process-error.js';

/**
 * Temporary failures after which a second send does not help the caller: a deadline that has passed already, and refusals
 * that protect a server which keeps failing.
 */
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['UPSTREAM_TIMEOUT', 'CIRCUIT_OPEN', 'PROCESS_CRASH_LOOP']);

/** Was the call not executed, or is a second execution harmless? */
const isSafe = ({ delivery }: McpClientError, idempotent: boolean): boolean =>
  delivery === 'not-executed' || (delivery === 'ambiguous' && idempotent);

/** May the same call be sent again: it is safe, and it can succeed. */
export const isRetryable = (error: McpClientError, idempotent: boolean): boolean =>
  isSafe(error, idempotent) &&
  error.temporary &&
  !FINAL.has(error.code) &&
  !isRefusedByUs(error) &&
  !hasEndedAtStart(error);
