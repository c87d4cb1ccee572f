import { mediaOf } from '../result/media.js';
import { outcomeText } from '../result/outcome-text.js';
import type { ToolOutcome } from '../result/tool-outcome.js';
import { type ModelCall, type RunOptions } from '../run/run-calls.js';
import { requireProvider } from './require-provider.js';
import { shownTools } from './shown-tools.js';
import { namedMedia } from './told-text.js';
import type { AgentTools } from '../tool/agent-tools.js';

export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: { type: 'object'; [member: string]: unknown };
  strict?: boolean;
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
type ImageType = (typeof IMAGE_TYPES)[number];

type ResultBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: ImageType; data: string } };

export interface ToolResultMessage {
  role: 'user';
  content: { type: 'tool_result'; tool_use_id: string; content: ResultBlock[]; is_error: boolean }[];
}

const callsIn = (content: readonly { readonly type: string }[]): readonly ModelCall[] =>
  content
    .filter(({ type }) => type === 'tool_use')
    .map((block) => {
      const { id = '', name = '', input } = block as { id?: string; name?: string; input?: unknown };
      return { id, name, arguments: input };
    });

/** Anthropic rejects empty texts. */
const textBlocks = (text: string): ResultBlock[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

const blocksOf = (outcome: ToolOutcome): ResultBlock[] => [
  ...textBlocks(outcomeText(outcome)),
  ...mediaOf(outcome).map((one): ResultBlock => {
    const { data, mimeType } = one;
    const type = IMAGE_TYPES.find((known) => known === mimeType);
    return type === undefined
      ? { type: 'text', text: namedMedia(one) }
      : { type: 'image', source: { type: 'base64', media_type: type, data } };
  }),
];

/** Tools for Anthropic's Messages. */
export const anthropicTools = (agent: AgentTools) => {
  requireProvider(agent.provider, ['anthropic', 'anthropic-strict']);
  const { tools, run } = shownTools<AnthropicTool>(agent);
  return {
    tools,
    /** Makes the calls in the content of a message, and gives the message that follows it. */
    run: async (content: readonly { readonly type: string }[], options?: RunOptions): Promise<ToolResultMessage> => ({
      role: 'user',
      content: (await run(callsIn(content), options)).map(({ call, outcome }) => ({
        type: 'tool_result',
        tool_use_id: call.id,
        content: blocksOf(outcome),
        is_error: outcome.isError,
      })),
    }),
  };
};
