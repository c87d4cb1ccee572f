import { nativeSignal } from './light-abort.js';

const sourcesOf = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * A signal that aborts with the first of several, for work without a clear end to let go of them.
 *
 * `AbortSignal.any` alone does not hold its sources: before Node 22.16 the garbage collector takes an
 * `AbortSignal.timeout` that nobody else holds, and the deadline never comes.
 */
export const anySignal = (...given: readonly (AbortSignal | undefined)[]): AbortSignal => {
  const sources = given.filter((source) => source !== undefined).map(nativeSignal);
  const signal = AbortSignal.any(sources);
  sourcesOf.set(signal, sources);
  return signal;
};
