import type { ToolCallDecision } from '@plugboard/contract';
import { ApiError } from './api-error.js';
import type { Http } from './http.js';
import { SseReader } from './sse-reader.js';

const PATH = '/v1/chat/completions';

/** A message in the words of OpenAI's API. */
export type ChatMessage =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly ChatToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A picture or a sound of a result, in Base64. */
export interface ChatMedia {
  readonly kind: 'image' | 'audio';
  readonly data: string;
  readonly mimeType: string;
}

/** What the agent does, as far as the page shows it. */
export type ChatEvent =
  | { readonly type: 'turn' }
  | {
      readonly type: 'tool-call';
      readonly id: string;
      readonly name: string;
      readonly server?: string;
      readonly arguments: string;
    }
  | { readonly type: 'approval'; readonly id: string }
  | {
      readonly type: 'tool-result';
      readonly id: string;
      readonly text: string;
      readonly isError: boolean;
      readonly media?: readonly ChatMedia[];
      readonly durationMs: number;
    }
  | {
      readonly type: 'done';
      readonly run: { readonly end: string; readonly turns: number; readonly usage: { readonly total: number | null } };
    };

export interface ChatChunk {
  readonly id?: string;
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string; readonly reasoning_content?: string };
  }[];
  readonly plugboard?: ChatEvent;
  readonly error?: { readonly message: string; readonly code?: string };
}

export interface ChatQuestion {
  readonly agent: string;
  readonly messages: readonly ChatMessage[];
  readonly toolset: string | undefined;
  /** Is somebody asked before tools that may destroy something? */
  readonly approvals: boolean;
}

const END = '[DONE]';

/** Asks an agent, and yields its answer while it comes. Ends by a throw when the answer breaks off. */
export const askAgent = async function* (
  http: Http,
  { agent, messages, toolset, approvals }: ChatQuestion,
  signal: AbortSignal,
): AsyncGenerator<ChatChunk> {
  const plugboard = { events: true, approvals, ...(toolset === undefined ? {} : { toolset }) };
  const body = { model: agent, messages, stream: true, plugboard };
  const { body: stream } = await http.send(PATH, { method: 'POST', body, signal });
  const events = new SseReader();
  const decoder = new TextDecoder();
  const bytes = stream?.getReader();
  try {
    for (let part = await bytes?.read(); part?.done === false; part = await bytes?.read()) {
      for (const data of events.feed(decoder.decode(part.value, { stream: true }))) {
        if (data === END) return;
        const chunk = JSON.parse(data) as ChatChunk;
        if (chunk.error !== undefined) {
          throw new ApiError(0, { code: chunk.error.code ?? 'INTERNAL', message: chunk.error.message });
        }
        yield chunk;
      }
    }
  } finally {
    await bytes?.cancel().catch(() => undefined);
  }
  throw new ApiError(0, {
    code: 'HUB_UNREACHABLE',
    message: 'The answer was interrupted.',
    hint: 'The hub ended the connection. Ask again.',
  });
};

export const decideCall = (http: Http, completionId: string, decision: ToolCallDecision): Promise<unknown> =>
  http.json(`${PATH}/${encodeURIComponent(completionId)}/decision`, { method: 'POST', body: decision });
