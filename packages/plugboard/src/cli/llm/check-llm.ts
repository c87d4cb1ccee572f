import { adaptedTools, type CheckTarget, examinationExit, runLlmChecks } from '@plugboard/check';
import type { ExitCode } from '@plugboard/contract';
import { VERSION } from '../../process/version.js';
import type { CommandContext } from '../command/command-context.js';
import { quotedSubject } from '../contract/subject.js';
import { assertReportFiles, writeReportFiles } from '../render/report-files.js';
import { checkProgress } from '../check/check-progress.js';
import { checkForms, reportWords } from '../check/check-report.js';
import { type LlmTargetFlags, llmTargetOf } from './llm-target.js';

export interface CheckLlmInput extends LlmTargetFlags {
  /** A server whose tools the provider must accept: a registered one, a URL, a file or a quoted command. */
  readonly tools: string | undefined;
  readonly failOn: CheckTarget['failOn'];
  readonly report: readonly string[];
  readonly verbose: boolean;
}

export const run = async (context: CommandContext, input: CheckLlmInput): Promise<ExitCode> => {
  const { out, process } = context;
  assertReportFiles(checkForms(), input.report);
  const target = llmTargetOf(input, process.env);
  const subject = input.tools === undefined ? undefined : await quotedSubject(context, input.tools);
  const offer = await subject?.read();
  const progress = checkProgress(process.stderr, !out.quiet);
  const report = await runLlmChecks(target, {
    failOn: input.failOn,
    version: VERSION,
    tools: adaptedTools(offer?.tools ?? [], target.api),
    signal: process.signal,
    onProgress: (done, planned, id) => {
      if (done === 0) progress.onEvent({ type: 'reached', planned });
      progress.onEvent({ type: 'started', id });
    },
    onResult: (result, done) => progress.onEvent({ type: 'judged', result, done }),
  }).finally(() => progress.end());
  await writeReportFiles(context, report, checkForms(), input.report);
  out.data(report);
  if (!out.quiet || report.outcome !== 'passed') out.text(reportWords(report, input.verbose, out));
  return examinationExit(report);
};
