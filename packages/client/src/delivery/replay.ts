import type { AttemptRecord, McpClientError } from '../error/client-error.js';
import { toClientError } from '../error/to-client-error.js';
import type { CallContext, Policy } from '../policy/policy.js';
import { mayReplay } from './may-replay.js';

export interface ReplayOptions {
  readonly maxRetries: number;
  readonly onReplay?: ((context: CallContext, error: McpClientError) => void) | undefined;
}

const record = (context: CallContext, error: McpClientError, startedAt: number): AttemptRecord => ({
  attempt: context.attempt,
  code: error.code,
  message: error.message,
  delivery: error.delivery,
  elapsedMs: Math.round(performance.now() - startedAt),
});

/** Repeats what was certainly not executed, and what may be executed twice, over a fresh link. */
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
        const again =
          !context.signal.aborted &&
          mayReplay({ error, repeatable: context.idempotent === true, tries, maxRetries: options.maxRetries });
        if (!again) {
          throw tries === 1 ? error : error.with({ attempts });
        }
        options.onReplay?.(current, error);
      }
    }
  };
