import type { ProgramExit, ProgramFacts } from '@plugboard/contract';
import { age } from '../../terminal/age.js';
import { count } from '../../terminal/count.js';

/** Fewer failures than this within an hour are bad luck. */
const KEEPS_FAILING = 3;

export const keepsFailing = (program: ProgramFacts | undefined): boolean =>
  program !== undefined && program.failures_last_hour >= KEEPS_FAILING;

/** `exit code 1`, `SIGKILL`, or why the hub ended it. */
export const exitWord = ({ code, signal, reason }: ProgramExit): string => {
  if (reason !== 'exited' && reason !== 'signalled') return reason.replaceAll('-', ' ');
  return signal ?? `exit code ${code ?? 'unknown'}`;
};

/** `12 starts in the last hour, 11 of them failed`. */
export const startWords = ({ running, starts_last_hour: starts, failures_last_hour: failures }: ProgramFacts): string =>
  [
    running === 0 ? 'not running' : `${running} running`,
    `${count(starts, 'start')} in the last hour`,
    ...(failures === 0 ? [] : [`${failures} failed`]),
  ].join(', ');

/** How the last program ended, and the line in which it said why. */
export const exitWords = (exit: ProgramExit, now: number): string =>
  `${exitWord(exit)}, ${age(exit.at, now)}${exit.error === null ? '' : `\n${exit.error}`}`;
