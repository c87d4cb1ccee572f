/** A signal that aborts with the first of several, and lets go of them when disposed. */
export const linkSignals = (
  ...sources: readonly (AbortSignal | undefined)[]
): { readonly signal: AbortSignal } & Disposable => {
  const [only, second] = sources.filter((source) => source !== undefined);
  if (only !== undefined && second === undefined) {
    // The common case, and signals are not cheap.
    return { signal: only, [Symbol.dispose]: () => undefined };
  }
  const controller = new AbortController();
  const detach: (() => void)[] = [];
  for (const source of sources) {
    if (source?.aborted === true) {
      controller.abort(source.reason);
    } else if (source !== undefined) {
      const onAbort = (): void => controller.abort(source.reason);
      source.addEventListener('abort', onAbort, { once: true });
      detach.push(() => source.removeEventListener('abort', onAbort));
    }
  }
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const release of detach) {
        release();
      }
    },
  };
};
