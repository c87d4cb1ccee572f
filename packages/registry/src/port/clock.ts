/** The time of day, as an argument: tests move it, the composition root hands in the real one. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
