import type { OptionValues } from './server-program.js';
import { UsageError } from './usage-error.js';

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/** The value of an option that takes a whole number. */
export const wholeNumberOption = (values: OptionValues, name: string, { min, max, fallback }: NumberRange): number => {
  const text = values[name];
  if (text === undefined) return fallback;
  const number = typeof text === 'string' && /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--${name} must be a whole number from ${min} to ${max}.`);
};
