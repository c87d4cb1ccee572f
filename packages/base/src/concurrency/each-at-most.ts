/** Works on all entries, at most `limit` at a time; results in the order of the entries. */
export const eachAtMost = async <T, R>(
  limit: number,
  entries: readonly T[],
  work: (entry: T, index: number) => Promise<R>,
): Promise<readonly R[]> => {
  const results: R[] = [];
  const queue = entries.entries();
  const worker = async (): Promise<void> => {
    for (const [index, entry] of queue) results[index] = await work(entry, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, entries.length) }, worker));
  return results;
};
