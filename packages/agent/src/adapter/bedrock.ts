import { mediaOf } from '../result/media.js';
import { outcomeText } from '../result/outcome-text.js';
import type { ToolOutcome } from '../result/tool-outcome.js';
import { type ModelCall, type RunOptions } from '../run/run-calls.js';
import { requireProvider } from './require-provider.js';
import { shownTools } from './shown-tools.js';
import { namedMedia } from './told-text.js';
import type { AgentTools } from '../tool/agent-tools.js';

const IMAGE_FORMATS = ['png', 'jpeg', 'gif', 'webp'] as const;
type ImageFormat = (typeof IMAGE_FORMATS)[number];

type ResultBlock = { text: string } | { image: { format: ImageFormat; source: { bytes: Uint8Array } } };

export interface ConverseResultMessage {
  role: 'user';
  content: { toolResult: { toolUseId: string; content: ResultBlock[]; status: 'success' | 'error' } }[];
}

interface ConverseTool {
  // The SDK has a type of its own for JSON, which only this one fits.
  toolSpec: { name: string; description?: string; inputSchema: { json: never } };
}

interface ToolUseBlock {
  readonly toolUse?:
    | { readonly toolUseId?: string | undefined; readonly name?: string | undefined; readonly input?: unknown }
    | undefined;
}

const callsIn = (content: readonly ToolUseBlock[]): readonly ModelCall[] =>
  content.flatMap(({ toolUse }) =>
    toolUse === undefined ? [] : [{ id: toolUse.toolUseId ?? '', name: toolUse.name ?? '', arguments: toolUse.input }],
  );

const blocksOf = (outcome: ToolOutcome): ResultBlock[] => {
  const text = outcomeText(outcome);
  const media = mediaOf(outcome).map((one): ResultBlock => {
    const { data, mimeType } = one;
    const format = IMAGE_FORMATS.find((known) => mimeType === `image/${known}`);
    return format === undefined
      ? { text: namedMedia(one) }
      : { image: { format, source: { bytes: new Uint8Array(Buffer.from(data, 'base64')) } } };
  });
  // Bedrock rejects blank texts and results without content.
  if (text.trim() === '') return media.length > 0 ? media : [{ text: '[The result is empty.]' }];
  return [{ text }, ...media];
};

/** Tools for Bedrock's Converse. */
export const bedrockTools = (agent: AgentTools) => {
  requireProvider(agent.provider, ['bedrock']);
  const { tools, run } = shownTools<ConverseTool>(agent);
  return {
    toolConfig: { tools },
    /** Makes the calls in the content of a message, and gives the message that follows it. */
    run: async (content: readonly ToolUseBlock[], options?: RunOptions): Promise<ConverseResultMessage> => ({
      role: 'user',
      content: (await run(callsIn(content), options)).map(({ call, outcome }) => ({
        toolResult: { toolUseId: call.id, content: blocksOf(outcome), status: outcome.isError ? 'error' : 'success' },
      })),
    }),
  };
};
