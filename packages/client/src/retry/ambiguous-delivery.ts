import { joinHints } from '@plugboard/contract';
import type { McpClientError } from '../error/client-error.js';
import { McpAmbiguousDeliveryError } from '../error/error-family.js';
import { toClientError } from '../error/to-client-error.js';
import type { CallContext, Policy } from '../policy/policy.js';

const NOT_TWICE =
  'Check its effect before you call it again. Calls of tools that are marked read-only or idempotent, and calls with an idempotency key, are retried automatically.';

const ambiguousError = (context: CallContext, error: McpClientError): McpClientError =>
  new McpAmbiguousDeliveryError(
    'AMBIGUOUS_DELIVERY',
    `${context.toolName === undefined ? context.method : `The tool "${context.toolName}"`} may have been executed: ${error.message}`,
    {
      // What to do about a deadline is worth knowing, too.
      hint: error.kind === 'timeout' && error.advice !== undefined ? joinHints([NOT_TWICE, error.advice]) : NOT_TWICE,
      delivery: 'ambiguous',
      details: { ...error.details, reason: error.code },
      retryAfterMs: error.retryAfterMs,
      attempts: error.attempts,
      cause: error,
    },
  );

/** A caller who cancelled the call does not expect to know. */
const isAmbiguous = (context: CallContext, error: McpClientError): boolean =>
  error.delivery === 'ambiguous' && context.idempotent !== true && error.kind !== 'cancelled';

/** Reports AMBIGUOUS_DELIVERY when a call that must not run twice may have run. */
export const reportAmbiguousDelivery: Policy = async <T>(
  context: CallContext,
  next: (context: CallContext) => Promise<T>,
): Promise<T> => {
  try {
    return await next(context);
  } catch (thrown) {
    const error = toClientError(thrown);
    throw isAmbiguous(context, error) ? ambiguousError(context, error) : error;
  }
};
