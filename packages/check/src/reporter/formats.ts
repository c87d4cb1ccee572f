import type { CheckReport } from '@plugboard/contract';
import { badge } from './badge.js';
import { htmlReport } from './html/page.js';
import { jsonReport } from './json.js';
import { junitReport } from './junit.js';
import { markdownReport, stepSummary } from './markdown.js';
import { sarifReport, type SarifOptions } from './sarif.js';

/** Every form that a report can be written in, besides the terminal. */
export const REPORTERS = {
  json: jsonReport,
  markdown: markdownReport,
  junit: junitReport,
  sarif: (report: CheckReport, options?: SarifOptions) => sarifReport(report, options),
  html: htmlReport,
  summary: stepSummary,
  badge,
} as const satisfies Readonly<Record<string, (report: CheckReport) => string>>;

export type ReportFormat = keyof typeof REPORTERS;

const BY_EXTENSION: Readonly<Record<string, ReportFormat>> = {
  json: 'json',
  md: 'markdown',
  xml: 'junit',
  sarif: 'sarif',
  html: 'html',
  svg: 'badge',
};

/** The format that a file name asks for. */
export const formatOfFile = (name: string): ReportFormat | undefined =>
  BY_EXTENSION[name.toLowerCase().split('.').at(-1) ?? ''];
