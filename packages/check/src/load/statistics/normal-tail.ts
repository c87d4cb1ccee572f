/** Abramowitz and Stegun 7.1.26; off by at most 1.5e-7. */
const normalTail = (z: number): number => {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.327_591_1 * x);
  const series =
    t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
  return (series * Math.exp(-x * x)) / 2;
};

/** How likely a value at least so far from the mean is, in either direction. */
export const twoSided = (z: number): number => Math.min(1, 2 * normalTail(z));

/** How often each value occurs, for values that occur more than once. */
export const tiesOf = (values: readonly number[]): readonly number[] => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 1);
};
