/** How much of a document is read before it is given up. */
export interface Limits {
  /** Levels of JSON nesting; a schema in a schema usually takes two. */
  readonly depth: number;
  /** JSON values, counted as often as they are met. */
  readonly nodes: number;
  /** Characters of all member names and strings, and eight for any other scalar. */
  readonly size: number;
}

/** Far beyond what any provider takes, and small enough that every pass over it stays well below a second. */
export const LIMITS: Limits = { depth: 256, nodes: 50_000, size: 4_000_000 };

/** Compiling costs far more than grading, here and in clients, so a schema that is compiled must be smaller. */
export const COMPILE_LIMITS: Limits = { depth: 200, nodes: 4000, size: 500_000 };
