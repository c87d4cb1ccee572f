import { mediaOf } from '../result/media.js';
import { outcomeText } from '../result/outcome-text.js';
import type { ToolOutcome } from '../result/tool-outcome.js';
import { toolForLibrary } from './tool-for-library.js';
import type { AgentTools } from '../tool/agent-tools.js';

type LangChainContent = string | ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[];

/** What the constructor of LangChain's `DynamicStructuredTool` is given. */
export interface LangChainFields {
  name: string;
  description: string;
  schema: Record<string, unknown>;
  metadata: Record<string, unknown>;
  responseFormat: 'content_and_artifact';
  func: (
    args: Record<string, unknown>,
    manager?: unknown,
    config?: { readonly signal?: AbortSignal },
  ) => Promise<[LangChainContent, ToolOutcome]>;
}

const contentOf = (outcome: ToolOutcome): LangChainContent => {
  const text = outcome.isError ? `Error: ${outcomeText(outcome)}` : outcomeText(outcome);
  const images = mediaOf(outcome)
    .filter(({ kind }) => kind === 'image')
    .map(({ data, mimeType }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${mimeType};base64,${data}` },
    }));
  return images.length === 0 ? text : [{ type: 'text', text }, ...images];
};

/**
 * Tools for LangChain.js: `langChainTools(agent, (fields) => new DynamicStructuredTool(fields))`. The artifact of each
 * message is the whole outcome.
 */
export const langChainTools = <Tool>(agent: AgentTools, create: (fields: LangChainFields) => Tool): Tool[] =>
  agent.tools.map((tool) => {
    const { schema, call } = toolForLibrary(tool);
    return create({
      name: tool.name,
      description: typeof tool.definition.description === 'string' ? tool.definition.description : '',
      schema,
      metadata: { ...tool.metadata },
      responseFormat: 'content_and_artifact',
      func: async (args, _manager, config) => {
        const outcome = await call(args, config?.signal);
        return [contentOf(outcome), outcome];
      },
    });
  });
