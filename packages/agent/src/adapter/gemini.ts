import { mediaOf } from '../result/media.js';
import { outcomeText } from '../result/outcome-text.js';
import { type ModelCall, type RunOptions } from '../run/run-calls.js';
import { requireProvider } from './require-provider.js';
import { shownTools } from './shown-tools.js';
import type { AgentTools } from '../tool/agent-tools.js';

interface FunctionDeclaration {
  name: string;
  description?: string;
  parameters: Record<string, never>;
}

interface FunctionCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: unknown;
}

export interface FunctionResponsePart {
  functionResponse: {
    id?: string;
    name: string;
    response: Record<string, unknown>;
    parts?: { inlineData: { mimeType: string; data: string } }[];
  };
}

const callOf = ({ id, name, args }: FunctionCall): ModelCall => ({ id: id ?? '', name: name ?? '', arguments: args });

/** Tools for the Gemini API. */
export const geminiTools = (agent: AgentTools) => {
  requireProvider(agent.provider, ['gemini']);
  const { tools: functionDeclarations, run } = shownTools<FunctionDeclaration>(agent);
  return {
    functionDeclarations,
    /** Makes the calls of a response, and gives the parts of the message that follows it. */
    run: async (calls: readonly FunctionCall[], options?: RunOptions): Promise<FunctionResponsePart[]> =>
      (await run(calls.map(callOf), options)).map(({ call, outcome }) => {
        const parts = mediaOf(outcome).map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }));
        return {
          functionResponse: {
            ...(call.id === '' ? {} : { id: call.id }),
            name: call.name,
            response: { [outcome.isError ? 'error' : 'output']: outcomeText(outcome) },
            ...(parts.length === 0 ? {} : { parts }),
          },
        };
      }),
  };
};
