import { PlugboardError } from '@plugboard/contract';
import type { Delivery, McpClientError } from './client-error.js';
import { McpCancelledError } from './error-family.js';
import { toClientError } from './to-client-error.js';

/** Why a signal was aborted: a deadline has its own error, anything else is a caller that cancelled. */
export const abortedError = (signal: AbortSignal, delivery: Delivery): McpClientError => {
  const reason: unknown = signal.reason;
  return reason instanceof PlugboardError
    ? toClientError(reason).with({ delivery })
    : new McpCancelledError('CANCELLED', 'The call was cancelled.', { delivery, cause: reason });
};

export const throwIfAborted = (signal: AbortSignal, delivery: Delivery): void => {
  if (signal.aborted) throw abortedError(signal, delivery);
};
