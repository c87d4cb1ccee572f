import { isJsonObject, tryJson } from '@plugboard/base';
import type { AssistantMessage, MediaPart, Message, ToolMessage, UserMessage } from '../../conversation/message.js';

export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

const mediaBlock = ({ data, mimeType }: MediaPart): Block =>
  IMAGES.has(mimeType)
    ? { type: 'image', source: { type: 'base64', media_type: mimeType, data } }
    : { type: 'text', text: `[Content of the type ${mimeType} cannot be shown.]` };

const userTurn = ({ content }: UserMessage): Turn => ({
  role: 'user',
  content: content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : mediaBlock(part))),
});

/** Arguments that were cut off cannot be sent back: the result of the call says what was wrong with them. */
const inputOf = (text: string): Readonly<Record<string, unknown>> => {
  const value = tryJson(text);
  return isJsonObject(value) ? value : {};
};

const assistantTurn = ({ content }: AssistantMessage): Turn => ({
  role: 'assistant',
  content: content.flatMap((part): readonly Block[] => {
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text }];
      case 'tool-call':
        return [{ type: 'tool_use', id: part.id, name: part.name, input: inputOf(part.arguments) }];
      case 'thinking':
        return part.opaque?.provider === 'anthropic' ? [part.opaque.value as Block] : [];
    }
  }),
});

const toolTurn = ({ results }: ToolMessage): Turn => ({
  role: 'user',
  content: results.map(({ callId, text, media, isError }) => ({
    type: 'tool_result',
    tool_use_id: callId,
    content: [...(text.trim() === '' ? [] : [{ type: 'text', text }]), ...media.map(mediaBlock)],
    is_error: isError,
  })),
});

export const turnOf = (message: Message): Turn => {
  switch (message.role) {
    case 'user':
      return userTurn(message);
    case 'assistant':
      return assistantTurn(message);
    case 'tool':
      return toolTurn(message);
  }
};
