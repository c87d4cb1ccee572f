import type { BenchReport } from '@plugboard/contract';
import { benchHtml } from './html.js';
import { benchJunit } from './junit.js';
import { benchMarkdown, benchSummary } from './markdown.js';

/** Every form that a report of load can be written in, besides the terminal. */
export const BENCH_REPORTERS = {
  json: (report: BenchReport) => `${JSON.stringify(report, null, 2)}\n`,
  markdown: benchMarkdown,
  junit: benchJunit,
  html: benchHtml,
  summary: benchSummary,
} as const satisfies Readonly<Record<string, (report: BenchReport) => string>>;

const BY_EXTENSION: Readonly<Record<string, keyof typeof BENCH_REPORTERS>> = {
  json: 'json',
  md: 'markdown',
  xml: 'junit',
  html: 'html',
};

/** The format that a file name asks for. */
export const benchFormatOfFile = (name: string): keyof typeof BENCH_REPORTERS | undefined =>
  BY_EXTENSION[name.toLowerCase().split('.').at(-1) ?? ''];
