import { InvalidArgumentError } from 'commander';

export const parseSeconds = (text: string): number => {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds.');
};

/** For what may be left out altogether. */
export const parseSecondsOrZero = (text: string): number => (text.trim() === '0' ? 0 : parseSeconds(text));
