import type { CheckReport } from '@plugboard/contract';
import { formatOfFile, REPORTERS, type SarifLocation, terminalLines } from '@plugboard/check';
import type { Output } from '../../terminal/output.js';
import type { ReportForms } from '../render/report-files.js';
import { toneLines } from '../render/tone-lines.js';

/** The report as lines for this terminal. */
export const reportWords = (report: CheckReport, verbose: boolean, out: Pick<Output, 'style' | 'width'>): string =>
  toneLines(terminalLines(report, { verbose }), out);

/** @param location what findings point at in SARIF */
export const checkForms = (location?: SarifLocation): ReportForms<CheckReport> => ({
  ofFile: (file) => {
    const format = formatOfFile(file);
    return format && ((report) => REPORTERS[format](report, { location }));
  },
  endings: '.json, .md, .xml (JUnit), .sarif, .html or .svg (badge)',
  summary: REPORTERS.summary,
});
