import type { ChatChunk, ChatEvent, ChatMedia, ChatMessage } from '../api/chat.js';

/** A call that the model wants: it waits for a yes, works, or is over. */
export interface CallItem {
  readonly kind: 'call';
  readonly turn: number;
  readonly id: string;
  readonly name: string;
  readonly server: string | undefined;
  readonly arguments: string;
  readonly state: 'working' | 'waiting' | 'answered' | 'failed' | 'stopped';
  readonly result?: string;
  readonly media?: readonly ChatMedia[];
  readonly durationMs?: number;
}

export type ChatItem =
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'thinking' | 'text'; readonly turn: number; readonly text: string }
  | CallItem
  | { readonly kind: 'remark'; readonly tone: 'quiet' | 'bad'; readonly text: string; readonly hint?: string };

export interface Conversation {
  readonly items: readonly ChatItem[];
  /** Counts the requests to the model, of all questions. */
  readonly turn: number;
  /** The answer that is being written; decisions about its calls name it. */
  readonly completionId: string | undefined;
}

export const NOTHING_SAID: Conversation = { items: [], turn: 0, completionId: undefined };

const ENDS: Readonly<Record<string, string>> = {
  'turn-limit': 'The limit of turns is reached. Ask it to continue.',
  'tool-call-limit': 'The limit of tool calls is reached. Ask it to continue.',
  'token-limit': 'The limit of tokens is reached.',
  'time-limit': 'The time is up.',
};

const withItem = (conversation: Conversation, item: ChatItem): Conversation => ({
  ...conversation,
  items: [...conversation.items, item],
});

/** Text goes on where it stopped; a blank line between turns is the hub's, and a part of its own here. */
const withText = (conversation: Conversation, kind: 'text' | 'thinking', text: string): Conversation => {
  const { items, turn } = conversation;
  const last = items.at(-1);
  if (last?.kind === kind && last.turn === turn) {
    return { ...conversation, items: [...items.slice(0, -1), { ...last, text: last.text + text }] };
  }
  const begun = text.trimStart();
  return begun === '' ? conversation : withItem(conversation, { kind, turn, text: begun });
};

/** Ids of calls are unique within a turn only. */
const withCall = (conversation: Conversation, id: string, change: Partial<CallItem>): Conversation => ({
  ...conversation,
  items: conversation.items.map((item) =>
    item.kind === 'call' && item.id === id && item.turn === conversation.turn ? { ...item, ...change } : item,
  ),
});

const withEvent = (conversation: Conversation, event: ChatEvent): Conversation => {
  switch (event.type) {
    case 'turn':
      return { ...conversation, turn: conversation.turn + 1 };
    case 'tool-call': {
      const { id, name, server, arguments: args } = event;
      const { turn } = conversation;
      return withItem(conversation, { kind: 'call', turn, id, name, server, arguments: args, state: 'working' });
    }
    case 'approval':
      return withCall(conversation, event.id, { state: 'waiting' });
    case 'tool-result': {
      const { text: result, isError, media = [], durationMs } = event;
      return withCall(conversation, event.id, { state: isError ? 'failed' : 'answered', result, media, durationMs });
    }
    case 'done': {
      const end = ENDS[event.run.end];
      return end === undefined ? conversation : withItem(conversation, { kind: 'remark', tone: 'quiet', text: end });
    }
    default:
      // A newer hub may tell more.
      event satisfies never;
      return conversation;
  }
};

export const asked = (conversation: Conversation, text: string): Conversation =>
  withItem({ ...conversation, completionId: undefined }, { kind: 'question', text });

/** What a piece of the answer adds. */
export const heard = (conversation: Conversation, { id, choices, plugboard }: ChatChunk): Conversation => {
  const { content = '', reasoning_content: thought = '' } = choices?.[0]?.delta ?? {};
  let next = id === undefined ? conversation : { ...conversation, completionId: id };
  if (thought !== '') next = withText(next, 'thinking', thought);
  if (content !== '') next = withText(next, 'text', content);
  return plugboard === undefined ? next : withEvent(next, plugboard);
};

/** A decision was sent: the call waits no more. */
export const decided = (conversation: Conversation, id: string): Conversation =>
  withCall(conversation, id, { state: 'working' });

/** The answer has ended. Calls without a result have none. */
export const ended = (
  conversation: Conversation,
  remark?: { readonly tone: 'quiet' | 'bad'; readonly text: string; readonly hint?: string | undefined },
): Conversation => {
  const items = conversation.items.map((item) =>
    item.kind === 'call' && (item.state === 'working' || item.state === 'waiting')
      ? { ...item, state: 'stopped' as const }
      : item,
  );
  const over = { ...conversation, items, completionId: undefined };
  if (remark === undefined) return over;
  const { hint, ...rest } = remark;
  return withItem(over, { kind: 'remark', ...rest, ...(hint === undefined ? {} : { hint }) });
};

const NO_RESULT = 'The user stopped the answer before this call had a result.';

const turnMessages = (items: readonly ChatItem[]): readonly ChatMessage[] => {
  const content = items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])).join('');
  const calls = items.filter((item) => item.kind === 'call');
  if (content === '' && calls.length === 0) return [];
  const toolCalls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  }));
  return [
    { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: toolCalls }) },
    ...calls.map(({ id, result = NO_RESULT }) => ({ role: 'tool' as const, tool_call_id: id, content: result })),
  ];
};

/** The conversation as the hub reads it. It keeps none: every question brings all that was said. */
export const messagesOf = ({ items }: Conversation): readonly ChatMessage[] => {
  const messages: ChatMessage[] = [];
  let turn: ChatItem[] = [];
  const flush = (): void => {
    messages.push(...turnMessages(turn));
    turn = [];
  };
  let current = 0;
  for (const item of items) {
    if (item.kind === 'remark' || item.kind === 'thinking') continue;
    if (item.kind === 'question') {
      flush();
      messages.push({ role: 'user', content: item.text });
      continue;
    }
    if (item.turn !== current) flush();
    current = item.turn;
    turn.push(item);
  }
  flush();
  return messages;
};
