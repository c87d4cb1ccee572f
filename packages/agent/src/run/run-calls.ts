import { eachAtMost, isJsonObject } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { instruction, type ToolOutcome } from '../result/tool-outcome.js';
import type { AgentTool, CallOptions } from '../tool/agent-tool.js';
import { readArguments } from './read-arguments.js';

/** A call as a model made it, in no provider's words. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** An object, or JSON text. */
  readonly arguments: unknown;
}

export interface RunOptions extends CallOptions {
  /** How many calls run at the same time. Default: 8. */
  readonly parallel?: number | undefined;
  /** Asked before each call; the model is told when the answer is no. */
  readonly approve?:
    | ((tool: AgentTool, args: Readonly<Record<string, unknown>>, call: ModelCall) => boolean | Promise<boolean>)
    | undefined;
  /** Told about each call when it is finished, before the others are. */
  readonly onFinished?: ((finished: FinishedCall) => void) | undefined;
}

export interface FinishedCall {
  readonly call: ModelCall;
  readonly outcome: ToolOutcome;
  /** How long the tool took, without what came before the call; 0 when it was not called. */
  readonly durationMs: number;
}

const PARALLEL_CALLS = 8;

const PROBLEMS = {
  'cut-off':
    'The arguments were cut off before their end, so the tool was not called. Call it again with complete, shorter arguments.',
  'no-object': 'The arguments are not a JSON object. Call the tool again.',
} as const;

const onlyReads = ({ metadata: { annotations } }: AgentTool): boolean =>
  isJsonObject(annotations) && annotations['readOnlyHint'] === true;

const notCalled = (call: ModelCall, outcome: ToolOutcome): FinishedCall => ({ call, outcome, durationMs: 0 });

const runOne = async (tools: readonly AgentTool[], call: ModelCall, options: RunOptions): Promise<FinishedCall> => {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const known = tools.map(({ name }) => name).join(', ');
    return notCalled(call, instruction('unknown-tool', `There is no tool "${call.name}". The tools are: ${known}.`));
  }
  const read = readArguments(call.arguments, { complete: onlyReads(tool) });
  if ('problem' in read) return notCalled(call, instruction('invalid-arguments', PROBLEMS[read.problem]));
  const { args } = read;
  if (options.approve !== undefined && !(await options.approve(tool, args, call))) {
    return notCalled(call, instruction('failed', `The user did not allow the call of ${tool.name}.`));
  }
  const start = performance.now();
  const after = (outcome: ToolOutcome): FinishedCall => ({ call, outcome, durationMs: performance.now() - start });
  try {
    return after(await tool.call(args, options));
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof PlugboardError)) throw error;
    return after(instruction('failed', error.message));
  }
};

/** Runs the calls of one turn side by side. Failures are outcomes that the model reads; only cancellation is thrown. */
export const runCalls = (
  tools: readonly AgentTool[],
  calls: readonly ModelCall[],
  options: RunOptions = {},
): Promise<readonly FinishedCall[]> =>
  eachAtMost(options.parallel ?? PARALLEL_CALLS, calls, async (call) => {
    options.signal?.throwIfAborted();
    const finished = await runOne(tools, call, options);
    options.onFinished?.(finished);
    return finished;
  });
