/** A signal of its own for a step that nobody else bounds; dispose it to let go of the timer. */
export const deadlineSignal = (ms: number): { readonly signal: AbortSignal } & Disposable => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
};
