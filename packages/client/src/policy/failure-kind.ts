import { PlugboardError, type ErrorCode } from '@plugboard/contract';
import { McpClientError } from '../error/client-error.js';
import { hasEndedAtStart } from '../error/process-error.js';

/** Failures that speak of the server's health, not of what was asked of it. */
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

/** Refusals that are meant to be seen at once: waiting them out would undo what they protect. */
const finalRefusals: ReadonlySet<ErrorCode> = new Set(['CIRCUIT_OPEN', 'PROCESS_CRASH_LOOP']);

/** Marks a refusal of our own limits, so that nobody takes it for the server's and waits. */
export const refusedByUs = { refused_by: 'plugboard' } as const;

/** Marks a refusal in favour of a server that asked for a pause: the call was not sent, so it used up no attempt. */
export const notSent = { not_sent: true } as const;

export const wasNotSent = (error: PlugboardError): boolean => error.details?.['not_sent'] === notSent.not_sent;

export const isServerFailure = (thrown: unknown): boolean =>
  thrown instanceof PlugboardError && serverFailures.has(thrown.code);

/** A call that was not answered in time says nothing about the others; a lost connection fails all of them at once. */
export const tellsOfOneCall = (thrown: unknown): boolean =>
  thrown instanceof PlugboardError && thrown.code === 'UPSTREAM_TIMEOUT';

/** The same without processes that end: where a supervisor starts them, its restart budgets look after those. */
export const isLinkFailure = (thrown: unknown): boolean =>
  isServerFailure(thrown) && thrown instanceof PlugboardError && !thrown.code.startsWith('PROCESS_');

/** May the same call be sent again: it can succeed later, and a second execution is impossible or harmless. */
export const mayRepeat = (thrown: unknown, idempotent: boolean): boolean =>
  thrown instanceof McpClientError &&
  thrown.temporary &&
  !finalRefusals.has(thrown.code) &&
  !hasEndedAtStart(thrown) &&
  thrown.details?.['refused_by'] !== refusedByUs.refused_by &&
  (idempotent || thrown.delivery === 'not-executed');
