import { InvalidArgumentError } from 'commander';

const DAY_MS = 86_400_000;

/** The moment that is this many days from now. */
export const parseExpiry = (text: string): string => {
  const days = Number(text);
  if (days > 0 && days <= 36_500) return new Date(Date.now() + days * DAY_MS).toISOString();
  throw new InvalidArgumentError('must be a number of days.');
};
