import type { AssistantPart } from '../../conversation/message.js';
import { type Finish, type ModelAnswer, type Usage, usageFrom } from '../../conversation/model-answer.js';
import { classifyFailure } from '../error/classify-failure.js';
import { ModelError } from '../error/model-error.js';
import { type Members, membersOf, objectsIn, requireObject, stringOf } from '../wire-json.js';

export const OPAQUE = 'openai-responses';

const usageOf = (value: unknown): Usage => {
  const usage = membersOf(value);
  return usageFrom({
    input: usage['input_tokens'],
    output: usage['output_tokens'],
    total: usage['total_tokens'],
    cachedInput: membersOf(usage['input_tokens_details'])['cached_tokens'],
    reasoning: membersOf(usage['output_tokens_details'])['reasoning_tokens'],
  });
};

const INCOMPLETE: Readonly<Record<string, Finish['kind']>> = {
  max_output_tokens: 'length',
  content_filter: 'content-filter',
};

const finishOf = (body: Members, content: readonly AssistantPart[], refused: boolean): Finish => {
  const status = stringOf(body['status']);
  if (status === 'incomplete') {
    const reason = stringOf(membersOf(body['incomplete_details'])['reason']);
    return { kind: INCOMPLETE[reason] ?? 'other', raw: reason || status };
  }
  if (status !== 'completed') return { kind: 'other', raw: status || null };
  if (refused) return { kind: 'refusal', raw: status };
  return { kind: content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop', raw: status };
};

const partsOf = (item: Members): readonly AssistantPart[] => {
  switch (item['type']) {
    case 'message':
      return objectsIn(item['content']).map((part) => ({
        type: 'text',
        text: stringOf(part['text']) || stringOf(part['refusal']),
      }));
    case 'function_call':
      return [
        {
          type: 'tool-call',
          id: stringOf(item['call_id']),
          name: stringOf(item['name']),
          arguments: stringOf(item['arguments']),
        },
      ];
    case 'reasoning': {
      const text = objectsIn(item['summary'])
        .map((part) => stringOf(part['text']))
        .join('\n');
      return [{ type: 'thinking', text, opaque: { provider: OPAQUE, value: item } }];
    }
    default:
      return [];
  }
};

/** A whole answer of Responses. */
export const responsesAnswer = (given: unknown, provider: string): ModelAnswer => {
  const body = requireObject(given, provider);
  if (body['status'] === 'failed') {
    const { message, code } = membersOf(body['error']);
    throw new ModelError(classifyFailure({ text: `${stringOf(message)} ${stringOf(code)}` }), {
      provider,
      said: stringOf(message),
    });
  }
  const output = objectsIn(body['output']);
  const content = output.flatMap(partsOf).filter((part) => part.type !== 'text' || part.text !== '');
  const refused = output.some((item) => objectsIn(item['content']).some(({ type }) => type === 'refusal'));
  return {
    id: stringOf(body['id']) || null,
    model: stringOf(body['model']),
    content,
    finish: finishOf(body, content, refused),
    usage: usageOf(body['usage']),
  };
};
