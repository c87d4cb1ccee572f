/** A queue in lanes: lanes take turns, and inside a lane the first comes first. */
export interface FairQueue<T> {
  /** Puts an item at the end of its lane; the result takes it out again. */
  add(lane: string, item: T): () => void;
  take(): T | undefined;
  size(): number;
}

export const createFairQueue = <T>(): FairQueue<T> => {
  // A map keeps the order of insertion: the lane at its front has the turn.
  const lanes = new Map<string, Set<{ readonly item: T }>>();
  let size = 0;
  const remove = (lane: string, entry: { readonly item: T }): void => {
    const entries = lanes.get(lane);
    if (entries?.delete(entry) !== true) return;
    size -= 1;
    if (entries.size === 0) lanes.delete(lane);
  };
  return {
    add(lane, item) {
      const entry = { item };
      const entries = lanes.get(lane);
      if (entries === undefined) lanes.set(lane, new Set([entry]));
      else entries.add(entry);
      size += 1;
      return () => remove(lane, entry);
    },
    take() {
      const turn = lanes.entries().next().value;
      if (turn === undefined) return undefined;
      const [lane, entries] = turn;
      lanes.delete(lane);
      lanes.set(lane, entries);
      const entry = entries.values().next().value;
      if (entry === undefined) return undefined;
      remove(lane, entry);
      return entry.item;
    },
    size: () => size,
  };
};
