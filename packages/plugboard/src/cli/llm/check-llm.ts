import { adaptedTools, type CheckTarget, examinationExit, type LlmTarget, runLlmChecks } from '@plugboard/check';
import type { ExitCode } from '@plugboard/contract';
import { VERSION } from '../../process/version.js';
import { agentModelFetch, readAgentModel } from '../../hub-api/agent-model.js';
import type { CommandContext } from '../command/command-context.js';
import { refuse } from '../command/invalid-argument.js';
import { quotedSubject } from '../contract/subject.js';
import { assertReportFiles, writeReportFiles } from '../render/report-files.js';
import { checkProgress } from '../check/check-progress.js';
import { checkForms, reportWords } from '../check/check-report.js';
import { agentTarget, type LlmTargetFlags, llmTargetOf } from './llm-target.js';

export interface CheckLlmInput extends Omit<LlmTargetFlags, 'target' | 'model'> {
  readonly target: string | undefined;
  readonly model: string | undefined;
  /** The agent of the hub whose model is examined, in place of a target and its key. */
  readonly agent: string | undefined;
  /** A server whose tools the provider must accept: a registered one, a URL, a file or a quoted command. */
  readonly tools: string | undefined;
  readonly failOn: CheckTarget['failOn'];
  readonly report: readonly string[];
  readonly verbose: boolean;
}

/** What is examined, and what sends the requests if it is not this program. */
const reach = async (
  context: CommandContext,
  { agent, target, model, ...flags }: CheckLlmInput,
): Promise<{ readonly target: LlmTarget; readonly fetch?: typeof fetch }> => {
  if (agent === undefined) {
    if (target === undefined || model === undefined) {
      return refuse('No endpoint or no model was given.', 'Give a provider or an address and --model, or --agent.');
    }
    return { target: llmTargetOf({ ...flags, target, model }, context.process.env) };
  }
  if (target !== undefined) return refuse('Both an endpoint and --agent were given.', 'Give one of them.');
  const { api } = await context.hub();
  const found = agentTarget(await readAgentModel(api, agent), { ...flags, model });
  return { target: found, fetch: agentModelFetch(api, agent, { baseUrl: found.url, keepKeys: true }) };
};

export const run = async (context: CommandContext, input: CheckLlmInput): Promise<ExitCode> => {
  const { out, process } = context;
  assertReportFiles(checkForms(), input.report);
  const { target, fetch } = await reach(context, input);
  const subject = input.tools === undefined ? undefined : await quotedSubject(context, input.tools);
  const offer = await subject?.read();
  const progress = checkProgress(process.stderr, !out.quiet);
  const report = await runLlmChecks(target, {
    failOn: input.failOn,
    version: VERSION,
    tools: adaptedTools(offer?.tools ?? [], target.api),
    signal: process.signal,
    fetch,
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
