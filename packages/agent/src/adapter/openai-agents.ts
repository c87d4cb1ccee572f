import { outcomeText } from '../result/outcome-text.js';
import { toolForLibrary } from './tool-for-library.js';
import { requireProvider } from './require-provider.js';
import type { AgentTools } from '../tool/agent-tools.js';

/** What `tool` of the OpenAI Agents SDK is given, for tools that are not strict. */
export interface AgentsSdkFields {
  name: string;
  description: string;
  parameters: { type: 'object'; properties: Record<string, never>; required: string[]; additionalProperties: true };
  strict: false;
  execute: (
    args: unknown,
    context?: unknown,
    details?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<string>;
}

/** Tools for the OpenAI Agents SDK: `openAiAgentsTools(agent, (fields) => tool(fields))`. */
export const openAiAgentsTools = <Tool>(agent: AgentTools, create: (fields: AgentsSdkFields) => Tool): Tool[] => {
  requireProvider(agent.provider, ['openai']);
  return agent.tools.map((tool) => {
    const { schema, call } = toolForLibrary(tool);
    return create({
      name: tool.name,
      description: typeof tool.definition.description === 'string' ? tool.definition.description : '',
      parameters: schema as AgentsSdkFields['parameters'],
      strict: false,
      execute: async (args, _context, details) => {
        const outcome = await call(args, details?.signal);
        return outcome.isError ? `Error: ${outcomeText(outcome)}` : outcomeText(outcome);
      },
    });
  });
};
