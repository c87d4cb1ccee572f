import { PlugboardError, type ErrorCode, type PlugboardErrorOptions } from '@plugboard/contract';
import type { CallContext } from '../policy.js';

export const callContext = (changes: Partial<CallContext> = {}): CallContext => ({
  serverName: 'notes',
  method: 'tools/call',
  attempt: 1,
  signal: new AbortController().signal,
  ...changes,
});

export const failing =
  (code: ErrorCode, options: PlugboardErrorOptions = {}) =>
  (): Promise<never> =>
    Promise.reject(new PlugboardError(code, `failed with ${code}`, options));

/** The error of a promise that must reject. */
export const errorOf = async (promise: Promise<unknown>): Promise<PlugboardError> => {
  try {
    await promise;
  } catch (thrown) {
    if (thrown instanceof PlugboardError) return thrown;
    throw thrown;
  }
  throw new Error('expected a rejection');
};

/** A promise that the test settles by hand. */
export const deferred = <T>() => {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
};
