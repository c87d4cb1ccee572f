import type { AttemptRecord, McpClientError } from '../error/client-error.js';
import { McpAmbiguousDeliveryError } from '../error/error-family.js';
import { toClientError } from '../error/to-client-error.js';
import type { CallContext, Policy } from '../policy/policy.js';
import { decideReplay } from './decide-replay.js';

export interface ReplayOptions {
  readonly maxRetries: number;
  readonly onReplay?: ((context: CallContext, error: McpClientError) => void) | undefined;
}

const ambiguousError = (context: CallContext, error: McpClientError): McpClientError =>
  new McpAmbiguousDeliveryError(
    'AMBIGUOUS_DELIVERY',
    `It is not known whether ${context.toolName === undefined ? context.method : `the tool "${context.toolName}"`} ran: ${error.message}`,
    {
      hint: 'Find out before you call it again. A tool that is marked read-only or idempotent, or a call with an idempotency key, is repeated without asking.',
      delivery: 'ambiguous',
      details: { ...error.details, reason: error.code },
      retryAfterMs: error.retryAfterMs,
      cause: error,
    },
  );

const record = (context: CallContext, error: McpClientError, startedAt: number): AttemptRecord => ({
  attempt: context.attempt,
  code: error.code,
  message: error.message,
  delivery: error.delivery,
  elapsedMs: Math.round(performance.now() - startedAt),
});

/** Repeats what was certainly not executed, and what may be executed twice; says so when neither is known. */
export const replay =
  (options: ReplayOptions): Policy =>
  async <T>(context: CallContext, next: (context: CallContext) => Promise<T>): Promise<T> => {
    const attempts: AttemptRecord[] = [];
    for (let tries = 1; ; tries += 1) {
      const current = { ...context, attempt: context.attempt + tries - 1 };
      const startedAt = performance.now();
      try {
        return await next(current);
      } catch (thrown) {
        const error = toClientError(thrown);
        attempts.push(record(current, error, startedAt));
        const decision = context.signal.aborted
          ? abortedDecision(error, context)
          : decideReplay({
              error,
              repeatable: context.idempotent === true,
              attempt: tries,
              maxRetries: options.maxRetries,
            });
        if (decision !== 'replay') {
          throw (decision === 'ambiguous' ? ambiguousError(context, error) : error).with({ attempts });
        }
        options.onReplay?.(current, error);
      }
    }
  };

const abortedDecision = (error: McpClientError, context: CallContext): 'give-up' | 'ambiguous' =>
  error.kind !== 'cancelled' && error.delivery === 'ambiguous' && context.idempotent !== true ? 'ambiguous' : 'give-up';
