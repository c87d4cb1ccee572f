/** Does something with each item, at most so many at the same time; the results keep their order. */
export const eachAtMost = async <T, R>(
  limit: number,
  items: readonly T[],
  act: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await act(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
};
