import { InvalidArgumentError } from 'commander';

export const parseCount = (text: string): number => {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It must be a whole number greater than 0.');
};

export const parseRate = (text: string): number => {
  const rate = Number(text);
  if (Number.isFinite(rate) && rate > 0) return rate;
  throw new InvalidArgumentError('It must be a number of calls per second.');
};
