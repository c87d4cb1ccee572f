import type { CheckReport } from '@plugboard/contract';
import { gravestFirst } from './words/verdict-text.js';

export const jsonReport = (report: CheckReport): string =>
  `${JSON.stringify({ ...report, results: gravestFirst(report.results) }, null, 2)}\n`;
