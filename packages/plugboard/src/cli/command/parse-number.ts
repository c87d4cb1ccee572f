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

/** A day: timers cannot count more than a few weeks. */
export const MOST_SECONDS = 86_400;
export const MOST_WAIT_SECONDS = 3_600;

const SECONDS_IN: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600 };

/** The seconds that a text means, as a number or with a unit (30s, 5m); NaN when it means none. */
const secondsOf = (text: string): number => {
  const [, number = '', unit = 's'] = /^([\d.]+)(ms|s|m|h)?$/u.exec(text.trim()) ?? [];
  return number === '' ? Number.NaN : Number(number) * (SECONDS_IN[unit] ?? Number.NaN);
};

const secondsThat =
  (what: string, fits: (value: number) => boolean) =>
  (text: string): number =>
    numberThat(what, fits)(String(secondsOf(text)));

export const parseSeconds = secondsThat(
  'a number of seconds above 0 and up to 86400, or a duration such as 30s or 5m',
  (value) => value > 0 && value <= MOST_SECONDS,
);
/** For the wait for one answer. */
export const parseWait = secondsThat(
  'a number of seconds above 0 and up to 3600, or a duration such as 30s or 5m',
  (value) => value > 0 && value <= MOST_WAIT_SECONDS,
);
/** For what may be left out altogether. */
export const parseSecondsOrZero = secondsThat(
  'a number of seconds from 0 to 3600, or a duration such as 30s or 5m',
  (value) => value >= 0 && value <= MOST_WAIT_SECONDS,
);
export const parseRate = numberThat(
  'a number of calls per second above 0 and up to 100000',
  (value) => value > 0 && value <= 100_000,
);
/** Sessions per second. */
export const parseChurn = numberThat(
  'a number of sessions per second from 0 to 1000',
  (value) => value >= 0 && value <= 1_000,
);
export const parsePercent = numberThat('a percentage', (value) => Number.isFinite(value) && value >= 0);
