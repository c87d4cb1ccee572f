import { tiesOf, twoSided } from './normal-tail.js';

export interface Comparison {
  /** How likely a difference as large as this one is by chance. */
  readonly p: number;
  /** How likely a value of the second group is larger than one of the first; 0.5 means no difference. */
  readonly effect: number;
}

/** Are the values of one group larger than those of another, whatever their distribution? Ties are corrected for. */
export const mannWhitney = (first: readonly number[], second: readonly number[]): Comparison => {
  const [n, m] = [first.length, second.length];
  if (n === 0 || m === 0) return { p: 1, effect: 0.5 };
  let u = 0;
  for (const one of first) for (const two of second) u += two > one ? 1 : two === one ? 0.5 : 0;
  const total = n + m;
  const tied = tiesOf([...first, ...second]).reduce((sum, t) => sum + t ** 3 - t, 0);
  const variance = ((n * m) / 12) * (total + 1 - tied / (total * (total - 1)));
  const distance = u - (n * m) / 2;
  const z = variance <= 0 || distance === 0 ? 0 : (distance - Math.sign(distance) * 0.5) / Math.sqrt(variance);
  return { p: twoSided(z), effect: u / (n * m) };
};
