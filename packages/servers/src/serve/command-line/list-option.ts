import type { OptionValues } from './server-program.js';
import { UsageError } from './usage-error.js';

export interface EntryRule {
  readonly isRight: (entry: string) => boolean;
  /** What an entry must be, for the message. */
  readonly what: string;
}

/** The values of an option that may be repeated. */
export const listOption = (values: OptionValues, name: string, { isRight, what }: EntryRule): readonly string[] => {
  const given = values[name];
  const entries = Array.isArray(given) ? given.map(String) : [];
  const wrong = entries.find((entry) => !isRight(entry));
  if (wrong === undefined) return entries;
  throw new UsageError(`--${name} must be ${what}, not "${wrong}".`);
};
