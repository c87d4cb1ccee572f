import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  exitCodeOf,
  launchProgram,
  runAgainst,
  runBench,
  withBaseline,
  BENCH_REPORTERS,
  benchFormatOfFile,
  benchLines,
} from '@plugboard/check';
import { type CheckEra, type ExitCode, type LoadPreset, benchReport, type BenchReport } from '@plugboard/contract';
import { childEnvironment } from '@plugboard/client';
import { VERSION } from '../../process/version.js';
import { readOtherTarget } from '../check/check-against.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { invalidArgument, refuse } from '../command/invalid-argument.js';
import { ownProgram } from '../command/own-program.js';
import { assertReportFiles, writeReportFiles, type ReportForms } from '../render/report-files.js';
import { readBenchTarget } from './bench-target.js';
import { benchView } from './bench-view.js';
import type { Output } from '../../terminal/output.js';
import { toneLines } from '../render/tone-lines.js';

export interface BenchInput {
  readonly address: AddressFlags;
  readonly tool?: string | undefined;
  readonly slow?: string | undefined;
  readonly era?: CheckEra | undefined;
  readonly scenario: readonly string[];
  readonly concurrency?: number | undefined;
  readonly workers?: number | undefined;
  readonly rate?: number | undefined;
  readonly duration?: number | undefined;
  readonly warmUp?: number | undefined;
  readonly step?: number | undefined;
  readonly timeout?: number | undefined;
  readonly connections?: number | undefined;
  /** The process of a server behind a URL. */
  readonly pid?: number | undefined;
  readonly preset?: LoadPreset | undefined;
  readonly threshold: readonly string[];
  readonly baseline?: string | undefined;
  readonly against?: string | undefined;
  readonly rounds?: number | undefined;
  readonly tolerance?: number | undefined;
  readonly report: readonly string[];
}

const TOLERANCE_PERCENT = 10;
const ROUNDS = 6;

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** An earlier report, as `--report baseline.json` wrote it. */
const readBaseline = async ({ process }: Pick<CommandContext, 'process'>, file: string): Promise<BenchReport> => {
  const text = await readFile(resolve(process.cwd, file), 'utf8').catch(() => undefined);
  const parsed = benchReport.safeParse(text === undefined ? undefined : jsonOf(text));
  if (parsed.success) return parsed.data;
  throw invalidArgument(
    text === undefined
      ? `The baseline ${file} cannot be read.`
      : `The baseline ${file} is not a report of plugboard bench.`,
    `Write one: plugboard bench … --report ${file}`,
  );
};

const benchWords = (report: BenchReport, out: Pick<Output, 'style' | 'width'>): string =>
  toneLines(benchLines(report), out);

const BENCH_FORMS: ReportForms<BenchReport> = {
  ofFile: (file) => {
    const format = benchFormatOfFile(file);
    return format && BENCH_REPORTERS[format];
  },
  endings: '.json, .md, .xml (JUnit) or .html',
  summary: BENCH_REPORTERS.summary,
};

export const run = async (context: CommandContext, input: BenchInput): Promise<ExitCode> => {
  const { out, process } = context;
  assertReportFiles(BENCH_FORMS, input.report);
  if (input.pid !== undefined && input.against !== undefined) {
    refuse('--pid and --against cannot be combined.', 'Measure the process in a run of its own.');
  }
  const target = await readBenchTarget(context, input);
  const baseline = input.baseline === undefined ? undefined : await readBaseline(context, input.baseline);
  const other = input.against === undefined ? undefined : await readOtherTarget(context, input.against);
  const view = benchView(process.stderr, { enabled: !out.json && !out.quiet, style: out.noteStyle });
  const options = {
    version: VERSION,
    signal: process.signal,
    baseEnv: childEnvironment({ inherited: process.env }),
    onEvent: view.onEvent,
    launchWorker: () =>
      launchProgram({
        command: process.execPath,
        args: [ownProgram(), 'bench', 'worker'],
        env: childEnvironment({ inherited: process.env }),
        cwd: process.cwd,
      }),
  };
  const tolerance = input.tolerance ?? TOLERANCE_PERCENT;
  const running =
    other === undefined
      ? runBench(target, { ...options, pid: input.pid })
      : runAgainst(target, other, { ...options, tolerance, rounds: input.rounds ?? ROUNDS });
  const measured = await running.finally(view.end);
  const isWhole = !process.signal.aborted;
  const report = isWhole && baseline !== undefined ? withBaseline(measured, baseline, { tolerance }) : measured;
  await writeReportFiles(context, report, BENCH_FORMS, input.report);
  out.data(report);
  if (!out.quiet || report.outcome !== 'passed') out.text(benchWords(report, out));
  return exitCodeOf({ outcome: report.outcome });
};
