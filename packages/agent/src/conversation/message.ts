export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A picture or a sound, in Base64. */
export interface MediaPart {
  readonly type: 'image' | 'audio';
  readonly data: string;
  readonly mimeType: string;
}

/** What the model thought before it answered. */
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: string;
  /** What the provider requires back unchanged, such as a signature. Other providers do not get it. */
  readonly opaque?: { readonly provider: string; readonly value: unknown } | undefined;
}

export interface ToolCallPart {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it; it may be incomplete. */
  readonly arguments: string;
}

export type UserPart = TextPart | MediaPart;
export type AssistantPart = TextPart | ThinkingPart | ToolCallPart;

export interface ToolResultPart {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly media: readonly MediaPart[];
  readonly isError: boolean;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly UserPart[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantPart[];
}

/** The results of the calls of the message before it. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly ToolResultPart[];
}

/** A message of a conversation, in no provider's words. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

export const userText = (text: string): UserMessage => ({ role: 'user', content: [{ type: 'text', text }] });

export const textOf = (parts: readonly (AssistantPart | UserPart)[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

export const callsOf = (parts: readonly AssistantPart[]): readonly ToolCallPart[] =>
  parts.filter((part) => part.type === 'tool-call');
