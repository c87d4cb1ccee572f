/** A duration as people say it: 250 ms, 1.5 s, 30 s. */
export const durationWords = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
