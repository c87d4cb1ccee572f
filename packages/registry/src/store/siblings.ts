/** The other processes that use the same embedded store and were started together with this one. */
export interface Siblings {
  /** Resolves when they have looked at what was committed, or have had time enough. */
  announce(): Promise<void>;
  /** Has the listener look whenever one of them announces something. Returns the way to stop. */
  watch(listener: () => Promise<void>): () => Promise<void>;
}
