import type { CheckReport } from '@plugboard/contract';
import { gravestFirst } from './words/words.js';

export const jsonReport = (report: CheckReport): string =>
  `${JSON.stringify({ ...report, results: gravestFirst(report.results) }, null, 2)}\n`;
