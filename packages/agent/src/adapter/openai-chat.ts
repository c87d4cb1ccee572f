import { type Media, mediaOf } from '../result/media.js';
import { outcomeText } from '../result/outcome-text.js';
import { type FinishedCall, type ModelCall, type RunOptions } from '../run/run-calls.js';
import { requireProvider } from './require-provider.js';
import { shownTools } from './shown-tools.js';
import type { AgentTools } from '../tool/agent-tools.js';

export interface ChatTool {
  type: 'function';
  function: { name: string; description?: string; parameters: Record<string, unknown>; strict?: boolean };
}

type ChatMediaPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } };

/** The results of calls: one message each, and one more with pictures and sounds, which results cannot have. */
export type ChatResultMessage =
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: 'user'; content: ChatMediaPart[] };

/** The message of the model, as far as its calls go. */
export interface ChatCallMessage {
  readonly tool_calls?:
    | readonly { readonly id: string; readonly type: string; readonly function?: unknown }[]
    | null
    | undefined;
}

const callsIn = ({ tool_calls: calls }: ChatCallMessage): readonly ModelCall[] =>
  (calls ?? []).map(({ id, function: called }) => {
    const { name, arguments: args } = (called ?? {}) as { readonly name?: string; readonly arguments?: unknown };
    return { id, name: name ?? '', arguments: args };
  });

const AUDIO: ReadonlyMap<string, 'wav' | 'mp3'> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

const mediaPart = ({ kind, data, mimeType }: Media): ChatMediaPart => {
  if (kind === 'image') return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } };
  const format = AUDIO.get(mimeType);
  return format === undefined
    ? { type: 'text', text: `[The result has audio of the type ${mimeType}, which cannot be shown.]` }
    : { type: 'input_audio', input_audio: { data, format } };
};

const resultMessages = (finished: readonly FinishedCall[]): ChatResultMessage[] => {
  const results = finished.map(({ call, outcome }): ChatResultMessage => {
    const text = outcomeText(outcome);
    return { role: 'tool', tool_call_id: call.id, content: outcome.isError ? `Error: ${text}` : text };
  });
  const media = finished.flatMap(({ outcome }) => mediaOf(outcome).map(mediaPart));
  if (media.length === 0) return results;
  return [...results, { role: 'user', content: [{ type: 'text', text: 'The media of the tool results:' }, ...media] }];
};

/** Tools for OpenAI's Chat Completions and endpoints that are compatible with it. */
export const openAiChatTools = (agent: AgentTools) => {
  requireProvider(agent.provider, ['openai', 'openai-strict', 'azure']);
  const { tools, run } = shownTools<ChatTool>(agent);
  return {
    tools,
    /** Makes the calls of a message, and gives the messages that follow it. */
    run: async (message: ChatCallMessage, options?: RunOptions): Promise<ChatResultMessage[]> =>
      resultMessages(await run(callsIn(message), options)),
  };
};
