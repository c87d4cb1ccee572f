import { BENCH_REPORTERS, benchFormatOfFile, benchLines } from '@plugboard/check';
import type { BenchReport } from '@plugboard/contract';
import type { Output } from '../../terminal/output.js';
import type { ReportForms } from '../render/report-files.js';
import { toneLines } from '../render/tone-lines.js';

export const benchWords = (report: BenchReport, out: Pick<Output, 'style' | 'width'>): string =>
  toneLines(benchLines(report), out);

export const BENCH_FORMS: ReportForms<BenchReport> = {
  ofFile: (file) => {
    const format = benchFormatOfFile(file);
    return format && BENCH_REPORTERS[format];
  },
  endings: '.json, .md, .xml (JUnit) or .html',
  summary: BENCH_REPORTERS.summary,
};
