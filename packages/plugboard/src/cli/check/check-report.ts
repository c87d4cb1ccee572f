import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type CheckReport, PlugboardError } from '@plugboard/contract';
import { formatOfFile, REPORTERS, type SarifLocation, terminalLines } from '@plugboard/check';
import type { Output } from '../../terminal/output.js';
import type { CommandContext } from '../command/command-context.js';
import { toneLines } from './tone-lines.js';

/** The report as lines for this terminal. */
export const reportWords = (report: CheckReport, verbose: boolean, out: Pick<Output, 'style' | 'width'>): string =>
  toneLines(terminalLines(report, { verbose }), out);

/** The files that were asked for; an unknown ending is refused before the run. */
export const assertReportFiles = (files: readonly string[]): void => {
  const unknown = files.find((file) => formatOfFile(file) === undefined);
  if (unknown === undefined) return;
  throw new PlugboardError('INVALID_ARGUMENT', `No report is known for the file name "${unknown}".`, {
    hint: 'Its ending decides: .json, .md, .xml (JUnit), .sarif, .html or .svg (badge).',
  });
};

export const writeReportFiles = async (
  { process, out }: CommandContext,
  report: CheckReport,
  files: readonly string[],
  location?: SarifLocation,
): Promise<void> => {
  for (const file of files) {
    const format = formatOfFile(file) ?? 'json';
    const path = resolve(process.cwd, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, REPORTERS[format](report, { location }));
    out.note(`Wrote ${file}.`);
  }
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') await appendFile(summary, REPORTERS.summary(report));
};
