import { joinHints } from '@plugboard/contract';
import type { McpClientError } from '../error/client-error.js';
import { McpAmbiguousDeliveryError } from '../error/error-family.js';
import { toClientError } from '../error/to-client-error.js';
import type { CallContext, Policy } from '../policy/policy.js';

const NOT_TWICE =
  'Find out before you call it again. A tool that is marked read-only or idempotent, or a call with an idempotency key, is repeated without asking.';

const ambiguousError = (context: CallContext, error: McpClientError): McpClientError =>
  new McpAmbiguousDeliveryError(
    'AMBIGUOUS_DELIVERY',
    `It is not known whether ${context.toolName === undefined ? context.method : `the tool "${context.toolName}"`} ran: ${error.message}`,
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

/** A caller who gave up knows that he does not know. */
const isAmbiguous = (context: CallContext, error: McpClientError): boolean =>
  error.delivery === 'ambiguous' && context.idempotent !== true && error.kind !== 'cancelled';

/** Says so when a call that may not run twice may have run. */
export const nameAmbiguity: Policy = async <T>(
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
