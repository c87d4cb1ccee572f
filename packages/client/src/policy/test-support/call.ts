import type { ErrorCode } from '@plugboard/contract';
import { McpClientError, type ClientErrorOptions } from '../../error/client-error.js';
import { clientError } from '../../error/to-client-error.js';
import type { CallContext } from '../policy.js';

export const callContext = (changes: Partial<CallContext> = {}): CallContext => ({
  serverName: 'notes',
  method: 'tools/call',
  attempt: 1,
  signal: new AbortController().signal,
  ...changes,
});

export const failing =
  (code: ErrorCode, options: ClientErrorOptions = {}) =>
  (): Promise<never> =>
    Promise.reject(clientError(code, `failed with ${code}`, options));

/** The error of a promise that must reject. */
export const errorOf = async (promise: Promise<unknown>): Promise<McpClientError> => {
  try {
    await promise;
  } catch (thrown) {
    if (thrown instanceof McpClientError) return thrown;
    throw thrown;
  }
  throw new Error('expected a rejection');
};
