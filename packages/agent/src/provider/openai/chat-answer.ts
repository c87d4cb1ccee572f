import type { AssistantPart } from '../../conversation/message.js';
import {
  type Finish,
  finishFrom,
  type FinishKind,
  type ModelAnswer,
  type Usage,
  usageFrom,
} from '../../conversation/model-answer.js';
import { type Members, membersOf, objectsIn, requireObject, stringOf } from '../wire-json.js';

const KINDS: Readonly<Record<string, FinishKind>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
};

export const chatFinish = (raw: unknown): Finish => finishFrom(KINDS, raw);

export const chatUsage = (value: unknown): Usage => {
  const usage = membersOf(value);
  return usageFrom({
    input: usage['prompt_tokens'],
    output: usage['completion_tokens'],
    total: usage['total_tokens'],
    cachedInput: membersOf(usage['prompt_tokens_details'])['cached_tokens'],
    reasoning: membersOf(usage['completion_tokens_details'])['reasoning_tokens'],
  });
};

/** Proxies of other models send thoughts in one of two members that OpenAI does not have. */
export const thoughtIn = (message: Members): string =>
  stringOf(message['reasoning_content']) || stringOf(message['reasoning']);

const callPart = ({ id, function: called }: Members): AssistantPart[] => {
  const { name, arguments: args } = membersOf(called);
  if (typeof name !== 'string') return [];
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  return [{ type: 'tool-call', id: stringOf(id), name, arguments: text }];
};

/** A whole answer of Chat Completions. */
export const chatAnswer = (body: unknown, provider: string): ModelAnswer => {
  const { id, model, choices, usage } = requireObject(body, provider);
  const choice = membersOf(objectsIn(choices)[0]);
  const message = membersOf(choice['message']);
  const thought = thoughtIn(message);
  const text = stringOf(message['content']) || stringOf(message['refusal']);
  const refused = stringOf(message['refusal']) !== '';
  return {
    id: stringOf(id) || null,
    model: stringOf(model),
    content: [
      ...(thought === '' ? [] : [{ type: 'thinking' as const, text: thought }]),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...objectsIn(message['tool_calls']).flatMap(callPart),
    ],
    finish: refused ? { kind: 'refusal', raw: stringOf(choice['finish_reason']) } : chatFinish(choice['finish_reason']),
    usage: chatUsage(usage),
  };
};
