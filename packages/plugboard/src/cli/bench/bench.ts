import { exitCodeOf, launchProgram, runAgainst, runBench, withBaseline } from '@plugboard/check';
import type { CheckEra, ExitCode, LoadPreset } from '@plugboard/contract';
import { childEnvironment } from '@plugboard/client';
import { VERSION } from '../../process/version.js';
import { readOtherTarget } from '../check/check-against.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { ownProgram } from '../command/own-program.js';
import { assertReportFiles, writeReportFiles } from '../render/report-files.js';
import { readBaseline } from './baseline-file.js';
import { BENCH_FORMS, benchWords } from './bench-report.js';
import { readBenchTarget } from './bench-target.js';
import { benchView } from './bench-view.js';

export interface BenchInput {
  readonly address: AddressFlags;
  readonly tool: string | undefined;
  readonly slow: string | undefined;
  readonly era: CheckEra | undefined;
  readonly scenario: readonly string[];
  readonly concurrency: number | undefined;
  readonly workers: number | undefined;
  readonly rate: number | undefined;
  readonly duration: number | undefined;
  readonly warmUp: number | undefined;
  readonly step: number | undefined;
  readonly timeout: number | undefined;
  readonly connections: number | undefined;
  readonly preset: LoadPreset | undefined;
  readonly threshold: readonly string[];
  readonly baseline: string | undefined;
  readonly against: string | undefined;
  readonly rounds: number | undefined;
  readonly tolerance: number | undefined;
  readonly report: readonly string[];
}

const TOLERANCE_PERCENT = 10;
const ROUNDS = 6;

export const run = async (context: CommandContext, input: BenchInput): Promise<ExitCode> => {
  const { out, process } = context;
  assertReportFiles(BENCH_FORMS, input.report);
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
      ? runBench(target, options)
      : runAgainst(target, other, { ...options, tolerance, rounds: input.rounds ?? ROUNDS });
  const measured = await running.finally(view.end);
  const isWhole = !process.signal.aborted;
  const report = isWhole && baseline !== undefined ? withBaseline(measured, baseline, { tolerance }) : measured;
  await writeReportFiles(context, report, BENCH_FORMS, input.report);
  out.data(report);
  if (!out.quiet || report.outcome !== 'passed') out.text(benchWords(report, out));
  return exitCodeOf({ outcome: report.outcome });
};
