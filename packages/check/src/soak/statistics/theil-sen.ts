import { tiesOf, twoSided } from '../../load/statistics/normal-tail.js';

export type Point = readonly [x: number, y: number];

export interface Slope {
  /** The median of the slopes between all pairs. */
  readonly slope: number;
  /** Its 95 % confidence interval. */
  readonly low: number;
  readonly high: number;
}

const Z = 1.96;

const slopesOf = (points: readonly Point[]): readonly number[] => {
  const slopes: number[] = [];
  points.forEach(([x, y], index) => {
    for (const [laterX, laterY] of points.slice(index + 1)) {
      if (laterX !== x) slopes.push((laterY - y) / (laterX - x));
    }
  });
  return slopes.toSorted((one, two) => one - two);
};

const median = (sorted: readonly number[]): number => {
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
};

/** A line through points that a few outliers do not move. Undefined for fewer than three points. */
export const theilSen = (points: readonly Point[]): Slope | undefined => {
  if (points.length < 3) return undefined;
  const slopes = slopesOf(points);
  if (slopes.length === 0) return undefined;
  const n = points.length;
  const spread = Z * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const at = (index: number): number => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(index)))] ?? 0;
  return {
    slope: median(slopes),
    low: at((slopes.length - spread) / 2),
    high: at((slopes.length + spread) / 2),
  };
};

interface Trend {
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
