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

export const OPAQUE = 'anthropic';

const KINDS: Readonly<Record<string, FinishKind>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool-calls',
  refusal: 'refusal',
  pause_turn: 'pause',
  model_context_window_exceeded: 'context-window',
};

export const anthropicFinish = (raw: unknown): Finish => finishFrom(KINDS, raw);

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Anthropic counts what came from the cache apart; everywhere else it is part of the input. */
export const anthropicUsage = (value: unknown): Usage => {
  const usage = membersOf(value);
  const { input_tokens: plain, cache_read_input_tokens: cached, cache_creation_input_tokens: written } = usage;
  const details = membersOf(usage['output_tokens_details']);
  return usageFrom({
    input: typeof plain === 'number' ? plain + countOf(cached) + countOf(written) : undefined,
    output: usage['output_tokens'],
    cachedInput: cached,
    cacheWrite: written,
    reasoning: details['thinking_tokens'],
  });
};

const partOf = (block: Members): readonly AssistantPart[] => {
  switch (block['type']) {
    case 'text':
      return [{ type: 'text', text: stringOf(block['text']) }];
    case 'thinking':
      return [{ type: 'thinking', text: stringOf(block['thinking']), opaque: { provider: OPAQUE, value: block } }];
    case 'redacted_thinking':
      return [{ type: 'thinking', text: '', opaque: { provider: OPAQUE, value: block } }];
    case 'tool_use':
      return [
        {
          type: 'tool-call',
          id: stringOf(block['id']),
          name: stringOf(block['name']),
          arguments: JSON.stringify(block['input'] ?? {}),
        },
      ];
    default:
      return [];
  }
};

/** A whole answer of Messages. */
export const anthropicAnswer = (given: unknown, provider: string): ModelAnswer => {
  const body = requireObject(given, provider);
  return {
    id: stringOf(body['id']) || null,
    model: stringOf(body['model']),
    content: objectsIn(body['content'])
      .flatMap(partOf)
      .filter((part) => part.type !== 'text' || part.text !== ''),
    finish: anthropicFinish(body['stop_reason']),
    usage: anthropicUsage(body['usage']),
  };
};
