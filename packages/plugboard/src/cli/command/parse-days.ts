import { InvalidArgumentError } from 'commander';

export const parseDays = (text: string): number => {
  const days = Number(text);
  if (days > 0 && days <= 36_500) return days;
  throw new InvalidArgumentError('must be a number of days.');
};
