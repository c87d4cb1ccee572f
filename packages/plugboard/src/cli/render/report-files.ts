import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { CommandContext } from '../command/command-context.js';
import { invalidArgument } from '../command/invalid-argument.js';

type Write<Report> = (report: Report) => string;

/** The forms in which a report can be written to files. */
export interface ReportForms<Report> {
  /** The form that a file name asks for; undefined when its ending is unknown. */
  readonly ofFile: (file: string) => Write<Report> | undefined;
  /** The known endings, for people. */
  readonly endings: string;
  /** For the summary of a step in GitHub Actions. */
  readonly summary: Write<Report>;
}

const formOf = <Report>({ ofFile, endings }: ReportForms<Report>, file: string): Write<Report> => {
  const form = ofFile(file);
  if (form !== undefined) return form;
  throw invalidArgument(
    `The file name "${file}" has no known report format.`,
    `The extension decides the format: ${endings}.`,
  );
};

/** Throws for an unknown ending, before a run begins. */
export const assertReportFiles = <Report>(forms: ReportForms<Report>, files: readonly string[]): void => {
  for (const file of files) formOf(forms, file);
};

/** Writes the files that were asked for and, in GitHub Actions, the summary of the step. */
export const writeReportFiles = async <Report>(
  { process, out }: Pick<CommandContext, 'process' | 'out'>,
  report: Report,
  forms: ReportForms<Report>,
  files: readonly string[],
): Promise<void> => {
  for (const file of files) {
    const path = resolve(process.cwd, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, formOf(forms, file)(report));
    out.note(`Wrote ${file}.`);
  }
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') await appendFile(summary, forms.summary(report));
};
