export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The quantile of the standard normal distribution, by bisection of its integral. */
const quantile = (probability: number): number => {
  let [low, high] = [0, 10];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < probability) low = middle;
    else high = middle;
  }
  return low;
};

/** Simpson's rule on the density; exact to about ten digits for the values that occur. */
const normalBelow = (z: number): number => {
  const steps = 400;
  const width = z / steps;
  const density = (x: number): number => Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(0) + density(z);
  for (let step = 1; step < steps; step += 1) sum += density(step * width) * (step % 2 === 0 ? 2 : 4);
  return 0.5 + (sum * width) / 3;
};

/** Wilson's interval of a share: it stays within 0 and 1, and is not a point when all or none of few trials succeed. */
export const wilsonInterval = (successes: number, trials: number, confidence: number): Interval => {
  if (trials === 0) return { low: 0, high: 1 };
  const z = quantile(0.5 + confidence / 2);
  const share = successes / trials;
  const scale = 1 + (z * z) / trials;
  const centre = (share + (z * z) / (2 * trials)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
};
