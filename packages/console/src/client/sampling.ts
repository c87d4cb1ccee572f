import { isJson } from '../api/json.js';

export interface SampledMessage {
  readonly role: string;
  /** Undefined when it is no text. */
  readonly text: string | undefined;
  readonly other: unknown;
}

const messageOf = (value: unknown): readonly SampledMessage[] => {
  if (!isJson(value)) return [{ role: 'unknown', text: undefined, other: value }];
  const role = typeof value['role'] === 'string' ? value['role'] : 'unknown';
  const parts: readonly unknown[] = Array.isArray(value['content']) ? value['content'] : [value['content']];
  return parts.map((part) => ({
    role,
    text: isJson(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : undefined,
    other: part,
  }));
};

/** The messages that a server wants a model to answer, one part after the other. */
export const sampledMessages = (messages: unknown): readonly SampledMessage[] =>
  Array.isArray(messages) ? messages.flatMap(messageOf) : [];
