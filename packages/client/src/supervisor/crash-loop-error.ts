import type { McpClientError } from '../error/client-error.js';
import { McpProcessError } from '../error/error-family.js';

/** A server that keeps falling is left down for a while, and says so at once. */
export const crashLoopError = (name: string, last: McpClientError, retryAfterMs: number): McpProcessError =>
  new McpProcessError('PROCESS_CRASH_LOOP', `"${name}" keeps failing and is not restarted for now. ${last.message}`, {
    hint: last.advice ?? 'Fix the cause and restart it, or wait until it is started again.',
    details: { ...last.details, last_failure: last.code },
    retryAfterMs: Math.max(1, Math.ceil(retryAfterMs)),
    cause: last,
  });
