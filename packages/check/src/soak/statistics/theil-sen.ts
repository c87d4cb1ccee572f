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
