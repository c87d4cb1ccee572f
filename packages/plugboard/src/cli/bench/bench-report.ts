import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { BENCH_REPORTERS, benchFormatOfFile, benchLines } from '@plugboard/check';
import { PlugboardError, type BenchReport } from '@plugboard/contract';
import type { Output } from '../../terminal/output.js';
import { toneLines } from '../check/tone-lines.js';
import type { CommandContext } from '../command/command-context.js';

export const benchWords = (report: BenchReport, out: Pick<Output, 'style' | 'width'>): string =>
  toneLines(benchLines(report), out);

/** An unknown ending is refused before the run. */
export const assertBenchFiles = (files: readonly string[]): void => {
  const unknown = files.find((file) => benchFormatOfFile(file) === undefined);
  if (unknown === undefined) return;
  throw new PlugboardError('INVALID_ARGUMENT', `No report is known for the file name "${unknown}".`, {
    hint: 'Its ending decides: .json, .md, .xml (JUnit) or .html.',
  });
};

export const writeBenchFiles = async (
  { process, out }: CommandContext,
  report: BenchReport,
  files: readonly string[],
): Promise<void> => {
  for (const file of files) {
    const path = resolve(process.cwd, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, BENCH_REPORTERS[benchFormatOfFile(file) ?? 'json'](report));
    out.note(`Wrote ${file}.`);
  }
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') await appendFile(summary, BENCH_REPORTERS.summary(report));
};
