import { mediaOf } from '../result/media.js';
import type { ToolOutcome } from '../result/tool-outcome.js';
import { toldWithError } from './told-text.js';
import { toolForLibrary } from './tool-for-library.js';
import { requireProvider } from './require-provider.js';
import type { AgentTools } from '../tool/agent-tools.js';

type AgentsSdkOutput = string | ({ type: 'text'; text: string } | { type: 'image'; image: string })[];

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
  ) => Promise<AgentsSdkOutput>;
}

/** With Chat Completions, the SDK passes on the texts only, so these name the pictures too. */
const outputOf = (outcome: ToolOutcome): AgentsSdkOutput => {
  const media = mediaOf(outcome);
  const images = media.filter(({ kind }) => kind === 'image');
  const text = toldWithError(
    outcome,
    media.filter(({ kind }) => kind !== 'image'),
  );
  if (images.length === 0) return text;
  const types = images.map(({ mimeType }) => mimeType).join(', ');
  return [
    { type: 'text', text: `${text}\n[The result has images: ${types}]`.trim() },
    ...images.map(({ data, mimeType }) => ({
      type: 'image' as const,
      image: `data:${mimeType};base64,${data}`,
    })),
  ];
};

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
      execute: async (args, _context, details) => outputOf(await call(args, details?.signal)),
    });
  });
};
