import { tiesOf, twoSided } from '../../load/statistics/normal-tail.js';

export interface Trend {
  /** Positive for a rising series; how many standard deviations from none. */
  readonly z: number;
  /** How likely a trend as strong as this one is by chance, in either direction. */
  readonly p: number;
}

/** Does a series rise or fall, whatever its shape? Ties are corrected for. */
export const mannKendall = (values: readonly number[]): Trend => {
  const n = values.length;
  let s = 0;
  values.forEach((value, index) => {
    for (const later of values.slice(index + 1)) s += Math.sign(later - value);
  });
  const tied = tiesOf(values).reduce((sum, t) => sum + t * (t - 1) * (2 * t + 5), 0);
  const variance = (n * (n - 1) * (2 * n + 5) - tied) / 18;
  const z = variance <= 0 || s === 0 ? 0 : (s - Math.sign(s)) / Math.sqrt(variance);
  return { z, p: twoSided(z) };
};
