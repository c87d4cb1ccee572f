import { PlugboardError, type ErrorCode } from '@plugboard/contract';
import { isRefusedByUs, wasNotSent } from '../error/own-refusal.js';

/** Failures of the server itself, not of one request. */
const serverFailures: ReadonlySet<ErrorCode> = new Set([
  'UPSTREAM_REFUSED',
  'UPSTREAM_DNS',
  'UPSTREAM_TLS',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_CLOSED',
  'UPSTREAM_WRONG_URL',
  'UPSTREAM_NOT_MCP',
  'UPSTREAM_UNAVAILABLE',
  'SESSION_LOST',
  'AMBIGUOUS_DELIVERY',
  'PROCESS_EXITED',
  'PROCESS_NOT_STARTED',
  'PROCESS_CRASH_LOOP',
  'PROCESS_MEMORY_LIMIT',
]);

export const isServerFailure = (thrown: unknown): boolean =>
  thrown instanceof PlugboardError && serverFailures.has(thrown.code);

/** The call did not reach the server, or nobody waited for its answer. */
export const tellsNothing = (thrown: unknown): boolean =>
  thrown instanceof PlugboardError && (thrown.code === 'CANCELLED' || isRefusedByUs(thrown) || wasNotSent(thrown));

/** A call that was not answered in time says nothing about the others; a lost connection fails all of them at once. */
export const tellsOfOneCall = (thrown: unknown): boolean =>
  thrown instanceof PlugboardError && thrown.code === 'UPSTREAM_TIMEOUT';

/** The same without processes that end: where a supervisor starts them, its restart budgets look after those. */
export const isLinkFailure = (thrown: unknown): boolean =>
  isServerFailure(thrown) && thrown instanceof PlugboardError && !thrown.code.startsWith('PROCESS_');
