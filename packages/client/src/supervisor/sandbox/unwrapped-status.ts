import { constants } from 'node:os';
import type { ExitReport } from '../../error/exit-report.js';

const SIGNALLED = 128;

/** The end of a program in a sandbox: what runs the sandbox tells a signal that ended the program as 128 and its number. */
export const unwrappedStatus = (
  code: number | null,
  signal: NodeJS.Signals | null,
): Pick<ExitReport, 'code' | 'signal'> => {
  const named = Object.entries(constants.signals).find(([, number]) => code === SIGNALLED + number)?.[0];
  return named === undefined ? { code, signal } : { code: null, signal: named as NodeJS.Signals };
};
