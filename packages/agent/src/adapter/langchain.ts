import type { ProfileId } from '@plugboard/schema';
import { mediaOf } from '../result/media.js';
import type { ToolOutcome } from '../result/tool-outcome.js';
import { toldWithError } from './told-text.js';
import { toolForLibrary } from './tool-for-library.js';
import type { AgentTools } from '../tool/agent-tools.js';

type LangChainContent =
  | string
  | ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[]
  // LangChain passes these on to OpenAI's Responses as they are.
  | ({ type: 'input_text'; text: string } | { type: 'input_image'; image_url: string; detail: 'auto' })[];

export interface LangChainOptions {
  /**
   * `shown`: pictures are parts of the tool message. `named`: its text says that there are some. OpenAI's Chat Completions
   * accepts nothing but text there; with OpenAI's rules, `shown` is for Responses. Default: `named` with OpenAI's rules,
   * else `shown`.
   */
  readonly media?: 'shown' | 'named' | undefined;
}

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

const OPENAI: ReadonlySet<ProfileId> = new Set(['openai', 'openai-strict', 'azure']);

const contentOf = (outcome: ToolOutcome, form: 'named' | 'image_url' | 'input_image'): LangChainContent => {
  const media = mediaOf(outcome);
  const images = form === 'named' ? [] : media.filter(({ kind }) => kind === 'image');
  const text = toldWithError(
    outcome,
    media.filter((one) => !images.includes(one)),
  );
  if (images.length === 0) return text;
  const urls = images.map(({ data, mimeType }) => `data:${mimeType};base64,${data}`);
  if (form === 'image_url') {
    return [
      // Some providers reject an empty text.
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...urls.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
    ];
  }
  return [
    { type: 'input_text', text },
    ...urls.map((url) => ({ type: 'input_image' as const, image_url: url, detail: 'auto' as const })),
  ];
};

/**
 * Tools for LangChain.js: `langChainTools(agent, (fields) => new DynamicStructuredTool(fields))`. The artifact of each
 * message is the whole outcome.
 */
export const langChainTools = <Tool>(
  agent: AgentTools,
  create: (fields: LangChainFields) => Tool,
  options: LangChainOptions = {},
): Tool[] => {
  const isOpenAi = OPENAI.has(agent.provider);
  const { media = isOpenAi ? 'named' : 'shown' } = options;
  const form = media === 'named' ? 'named' : isOpenAi ? 'input_image' : 'image_url';
  return agent.tools.map((tool) => {
    const { schema, call } = toolForLibrary(tool);
    return create({
      name: tool.name,
      description: typeof tool.definition.description === 'string' ? tool.definition.description : '',
      schema,
      metadata: { ...tool.metadata },
      responseFormat: 'content_and_artifact',
      func: async (args, _manager, config) => {
        const outcome = await call(args, config?.signal);
        return [contentOf(outcome, form), outcome];
      },
    });
  });
};
