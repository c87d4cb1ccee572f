import { checkTarget, exitCodeOf, runSoak, SOAK_REPORTERS, soakLines, type SoakProgress } from '@plugboard/check';
import { childEnvironment } from '@plugboard/client';
import { loadPlan, type CheckEra, type ExitCode, type SoakPlan, type SoakReport } from '@plugboard/contract';
import type { ProcessContext } from '../../process/process-context.js';
import { VERSION } from '../../process/version.js';
import { calledTool } from '../bench/called-tool.js';
import { readDirectTarget } from '../check/check-target.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { assertReportFiles, writeReportFiles, type ReportForms } from '../render/report-files.js';
import { secondsIn, withDefaultTarget, withTimeout } from '../server-flags/framework-environment.js';
import { toneLines } from '../render/tone-lines.js';
import { progressText } from './progress-text.js';

export interface SoakInput {
  readonly address: AddressFlags;
  readonly tool?: string | undefined;
  readonly era?: CheckEra | undefined;
  readonly duration?: number | undefined;
  readonly warmUp?: number | undefined;
  readonly rate?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly churn?: number | undefined;
  readonly churnMode?: SoakPlan['churnMode'] | undefined;
  readonly pid?: number | undefined;
  readonly report: readonly string[];
}

const FORMS: ReportForms<SoakReport> = {
  ofFile: (file) => {
    const ending = file.toLowerCase().split('.').at(-1) ?? '';
    return ending in SOAK_REPORTERS ? SOAK_REPORTERS[ending as keyof typeof SOAK_REPORTERS] : undefined;
  },
  endings: '.json, .md, .xml (JUnit) or .html',
  summary: SOAK_REPORTERS.md,
};

const planOf = (input: SoakInput, env: ProcessContext['env']): SoakPlan => ({
  seconds: input.duration ?? secondsIn(env, 'LOAD_TEST_DURATION') ?? 120,
  warmUpSeconds: input.warmUp ?? 15,
  rate: input.rate ?? 500,
  concurrency: input.concurrency ?? 4,
  churn: input.churn ?? 2,
  churnMode: input.churnMode ?? 'both',
});

const CLEAR = '\r\u001B[2K';

export const run = async (context: CommandContext, input: SoakInput): Promise<ExitCode> => {
  const { out, process } = context;
  const { stderr } = process;
  assertReportFiles(FORMS, input.report);
  const given = await readDirectTarget(context, withDefaultTarget(input.address, process.env));
  const target = checkTarget.parse({
    ...given,
    era: input.era ?? given.era,
    budgets: withTimeout(given.budgets, process.env),
    load: loadPlan.parse({
      ...given.load,
      ...(input.tool === undefined ? {} : { call: calledTool('--tool', input.tool) }),
    }),
  });
  const plan = planOf(input, process.env);
  const isLive = stderr.isTTY && !out.json && !out.quiet;
  const onProgress = (progress: SoakProgress): void =>
    stderr.write(`${CLEAR}${progressText(progress).slice(0, (stderr.columns ?? 80) - 1)}`);
  const report = await runSoak(target, {
    version: VERSION,
    plan,
    pid: input.pid,
    signal: process.signal,
    baseEnv: childEnvironment({ inherited: process.env }),
    ...(isLive ? { onProgress } : {}),
  });
  if (isLive) stderr.write(CLEAR);
  await writeReportFiles(context, report, FORMS, input.report);
  out.data(report);
  if (!out.quiet || report.outcome !== 'passed') out.text(toneLines(soakLines(report), out));
  return exitCodeOf({ outcome: report.outcome });
};
