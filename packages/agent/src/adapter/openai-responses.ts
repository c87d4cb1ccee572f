import { mediaOf } from '../result/media.js';
import { outcomeText } from '../result/outcome-text.js';
import type { ToolOutcome } from '../result/tool-outcome.js';
import { type ModelCall, type RunOptions } from '../run/run-calls.js';
import { requireProvider } from './require-provider.js';
import { shownTools } from './shown-tools.js';
import type { AgentTools } from '../tool/agent-tools.js';

export interface ResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: Record<string, unknown>;
  strict: boolean;
}

type OutputPart = { type: 'input_text'; text: string } | { type: 'input_image'; image_url: string; detail: 'auto' };

export interface FunctionCallOutput {
  type: 'function_call_output';
  call_id: string;
  output: string | OutputPart[];
}

const callsIn = (output: readonly { readonly type: string }[]): readonly ModelCall[] =>
  output
    .filter(({ type }) => type === 'function_call')
    .map((item) => {
      const {
        call_id: id = '',
        name = '',
        arguments: args,
      } = item as { call_id?: string; name?: string; arguments?: unknown };
      return { id, name, arguments: args };
    });

const outputOf = (outcome: ToolOutcome): string | OutputPart[] => {
  const text = outcome.isError ? `Error: ${outcomeText(outcome)}` : outcomeText(outcome);
  const media = mediaOf(outcome).map(({ kind, data, mimeType }): OutputPart =>
    kind === 'image'
      ? { type: 'input_image', image_url: `data:${mimeType};base64,${data}`, detail: 'auto' }
      : { type: 'input_text', text: `[The result has audio of the type ${mimeType}, which cannot be shown.]` },
  );
  return media.length === 0 ? text : [{ type: 'input_text', text }, ...media];
};

/** Tools for OpenAI's Responses. */
export const openAiResponsesTools = (agent: AgentTools) => {
  requireProvider(agent.provider, ['openai', 'openai-strict', 'azure']);
  const { tools, run } = shownTools<ResponsesTool>(agent, (profile) =>
    profile === 'openai-strict' ? 'openai-responses-strict' : 'openai-responses',
  );
  return {
    tools,
    /** Makes the calls of a response, and gives the items that follow its output. */
    run: async (output: readonly { readonly type: string }[], options?: RunOptions): Promise<FunctionCallOutput[]> =>
      (await run(callsIn(output), options)).map(({ call, outcome }) => ({
        type: 'function_call_output',
        call_id: call.id,
        output: outputOf(outcome),
      })),
  };
};
