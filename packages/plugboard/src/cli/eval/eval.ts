import { resolve } from 'node:path';
import {
  createProvider,
  type ModelProvider,
  parseModelAddress,
  replayProvider,
  resilientProvider,
} from '@plugboard/agent';
import { type AskEval, type EvalOptions, examinationExit, parseEvalFile, runEvals } from '@plugboard/check';
import {
  type AgentModel,
  type CheckReport,
  type EvalFile,
  type ExitCode,
  type ModelRecording,
  PlugboardError,
  readModelRecording,
} from '@plugboard/contract';
import { agentModelFetch, readAgentModel } from '../../hub-api/agent-model.js';
import type { HubApi } from '../../hub-api/hub-api.js';
import { VERSION } from '../../process/version.js';
import { openModelRecorder, redactConversation } from '../chat/model-recording.js';
import { checkProgress } from '../check/check-progress.js';
import { checkForms, reportWords } from '../check/check-report.js';
import type { CommandContext } from '../command/command-context.js';
import { assertReportFiles, writeReportFiles } from '../render/report-files.js';
import { askModel, askScript } from './ask-model.js';
import { evalTools, type OfferedTool } from './eval-tools.js';
import { readGivenFile } from '../input/read-given-file.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface EvalInput {
  readonly file: string;
  readonly model: string | undefined;
  /** The agent of the hub whose model is asked, in place of a model and its key. */
  readonly agent: string | undefined;
  readonly baseUrl: string | undefined;
  readonly scripted: boolean;
  readonly replay: string | undefined;
  readonly record: string | undefined;
  readonly iterations: number | undefined;
  readonly report: readonly string[];
  readonly verbose: boolean;
}

interface Asked {
  readonly label: string;
  readonly ask: AskEval;
  close(): Promise<void>;
}

const readRecording = async ({ process }: CommandContext, name: string): Promise<ModelRecording> => {
  const text = await readGivenFile(resolve(process.cwd, name), name);
  const hint = 'Create one with `plugboard eval … --record model.jsonl`.';
  try {
    const recording = readModelRecording(text);
    if (recording !== undefined && recording.answers.length > 0) return recording;
  } catch (cause) {
    throw new PlugboardError('CONFIG_INVALID', cause instanceof Error ? cause.message : String(cause), { hint, cause });
  }
  throw new PlugboardError('CONFIG_INVALID', `${name} is not a recording of a model, or has no answers.`, { hint });
};

const asScript = ({ cases }: EvalFile, offered: readonly OfferedTool[]): Asked => {
  const silent = cases.find(({ script }) => script === undefined);
  if (silent !== undefined) {
    throw invalidArgument(
      `There is no model, and the case "${silent.name}" has no script.`,
      'Give --model provider:model or --replay, set "model" in the file, or give each case a script.',
    );
  }
  return { label: 'scripted', ask: askScript(offered), close: () => Promise.resolve() };
};

/** The model of an agent. The hub adds its key to the requests, so any will do here. */
const hubAgentModel = async (
  api: HubApi,
  agent: string,
): Promise<{ readonly model: AgentModel; readonly provider: ModelProvider }> => {
  const model = await readAgentModel(api, agent);
  const baseUrl = model.base_url ?? 'http://provider.invalid';
  const fetch = agentModelFetch(api, agent, { baseUrl });
  return {
    model,
    provider: resilientProvider(createProvider(model.provider, { baseUrl, fetch, variable: () => 'hub' })),
  };
};

/** The model that is asked: a recorded one, a scripted one, or a real one. */
const chooseModel = async (
  context: CommandContext,
  file: EvalFile,
  input: EvalInput,
  offered: readonly OfferedTool[],
): Promise<Asked> => {
  const ask = (provider: ModelProvider, model: string, instructions = file.instructions): AskEval =>
    askModel(provider, model, instructions, offered);
  const recorded = async (label: string, real: ModelProvider, model: string, instructions?: string): Promise<Asked> => {
    const recorder = await openModelRecorder(context, real, input.record);
    return {
      label,
      ask: ask(recorder.provider, model, file.instructions ?? instructions),
      close: async () => {
        real.close();
        await recorder.close();
      },
    };
  };
  if (input.replay !== undefined) {
    const recording = await readRecording(context, input.replay);
    const model = recording.answers[0]?.request.model ?? '';
    const provider = replayProvider(recording, { redact: redactConversation });
    return { label: `${model}, replayed`, ask: ask(provider, model), close: () => Promise.resolve() };
  }
  if (input.agent !== undefined) {
    const { api } = await context.hub();
    const { model, provider } = await hubAgentModel(api, input.agent);
    return recorded(`${input.agent} (${model.name})`, provider, model.name, model.instructions);
  }
  const named = input.model ?? file.model;
  if (input.scripted || named === undefined) return asScript(file, offered);
  const address = parseModelAddress(named);
  const { env } = context.process;
  const real = resilientProvider(
    createProvider(address.provider, { baseUrl: input.baseUrl, variable: (name) => env[name] }),
  );
  return recorded(named, real, address.model);
};

export const run = async (context: CommandContext, input: EvalInput): Promise<ExitCode> => {
  const { out, process } = context;
  assertReportFiles(checkForms(), input.report);
  const path = resolve(process.cwd, input.file);
  const parsed = parseEvalFile(await readGivenFile(path, input.file), input.file);
  const { iterations } = input;
  const file = iterations === undefined ? parsed : { ...parsed, iterations };
  const offered = await context.waiting('Reading the tools', () => evalTools(context, file, path));
  const asked = await chooseModel(context, file, input, offered);
  const progress = checkProgress(process.stderr, !out.json && !out.quiet);
  let done = 0;
  progress.onEvent({ type: 'reached', planned: file.cases.length });
  const options: EvalOptions = {
    version: VERSION,
    label: asked.label,
    ask: asked.ask,
    signal: process.signal,
    onResult: (result) => {
      done += 1;
      progress.onEvent({ type: 'judged', result, done });
    },
  };
  let report: CheckReport;
  try {
    report = await runEvals(file, options);
  } finally {
    progress.end();
    await asked.close();
  }
  await writeReportFiles(context, report, checkForms({ uri: input.file.replaceAll('\\', '/'), line: 1 }), input.report);
  out.data(report);
  if (!out.quiet || report.outcome !== 'passed') out.text(reportWords(report, input.verbose, out));
  return examinationExit(report);
};
