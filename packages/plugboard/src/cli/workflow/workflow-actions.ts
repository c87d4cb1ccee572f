import { resolve } from 'node:path';
import { examinationExit, runWorkflow } from '@plugboard/check';
import { childEnvironment } from '@plugboard/client';
import { type ExitCode, EXIT } from '@plugboard/contract';
import { VERSION } from '../../process/version.js';
import { checkProgress } from '../check/check-progress.js';
import { checkForms, reportWords } from '../check/check-report.js';
import type { CommandContext } from '../command/command-context.js';
import { parsePairs } from '../input/pair-flags.js';
import { assertReportFiles, writeReportFiles } from '../render/report-files.js';
import { reachable, readWorkflow } from './workflow-source.js';
import { printableLine } from '../../terminal/printable.js';

export interface WorkflowRunInput {
  readonly file: string;
  readonly var: readonly string[];
  readonly report: readonly string[];
  readonly verbose: boolean;
}

export const run = async (context: CommandContext, input: WorkflowRunInput): Promise<ExitCode> => {
  const { out, process } = context;
  assertReportFiles(checkForms(), input.report);
  const path = resolve(process.cwd, input.file);
  const plan = await reachable(context, await readWorkflow(path, { modules: true }), path);
  const progress = checkProgress(process.stderr, !out.json && !out.quiet);
  let done = 0;
  progress.onEvent({ type: 'reached', planned: plan.steps.length + plan.teardown.length });
  const report = await runWorkflow(plan, {
    version: VERSION,
    signal: process.signal,
    baseEnv: childEnvironment({ inherited: process.env }),
    variables: parsePairs('--var', input.var),
    onResult: (result) => {
      done += 1;
      progress.onEvent({ type: 'judged', result, done });
    },
  }).finally(progress.end);
  await writeReportFiles(context, report, checkForms({ uri: input.file.replaceAll('\\', '/'), line: 1 }), input.report);
  out.data(report);
  if (!out.quiet || report.outcome !== 'passed') out.text(reportWords(report, input.verbose, out));
  return examinationExit(report);
};

export const validate = async (
  { out, process }: CommandContext,
  { file }: { readonly file: string },
): Promise<ExitCode> => {
  const { name, steps, teardown, servers } = await readWorkflow(resolve(process.cwd, file), { modules: false });
  out.data({ name, steps: steps.length, teardown: teardown.length, servers: Object.keys(servers) });
  const words = `✓ ${file}: "${name}", ${steps.length} steps, ${teardown.length} in the teardown, servers ${Object.keys(servers).join(', ')}.`;
  out.text(printableLine(words));
  return EXIT.ok;
};
