import { InvalidArgumentError } from 'commander';

/** A parser for an option or an argument: `what` describes the numbers that it accepts. */
export const numberThat =
  (what: string, fits: (value: number) => boolean) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && fits(value)) return value;
    throw new InvalidArgumentError(`It must be ${what}.`);
  };

const isWhole =
  (least: number, most: number) =>
  (value: number): boolean =>
    Number.isInteger(value) && value >= least && value <= most;

export const wholeNumber = (least: number, most: number) =>
  numberThat(`a whole number from ${least} to ${most}`, isWhole(least, most));

export const parseCount = numberThat('a whole number above 0', (value) => Number.isSafeInteger(value) && value > 0);
export const parsePort = numberThat('a port from 0 to 65535', isWhole(0, 65_535));
export const parseSeconds = numberThat('a number of seconds', (value) => Number.isFinite(value) && value > 0);
/** For what may be left out altogether. */
export const parseSecondsOrZero = numberThat('a number of seconds', (value) => Number.isFinite(value) && value >= 0);
export const parseRate = numberThat('a number of calls per second', (value) => Number.isFinite(value) && value > 0);
