import type { ModelEvent } from '../../conversation/model-event.js';
import { AnswerWriter, checkedAnswer } from '../answer-writer.js';
import { classifyFailure } from '../error/classify-failure.js';
import { ModelError } from '../error/model-error.js';
import { type Members, membersOf, stringOf } from '../wire-json.js';
import { responsesAnswer } from './responses-answer.js';

const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

const eventOf = (writer: AnswerWriter, event: Members): ModelEvent | undefined => {
  const key = String(event['output_index']);
  const item = membersOf(event['item']);
  switch (event['type']) {
    case 'response.created': {
      const model = stringOf(membersOf(event['response'])['model']);
      return { type: 'start', model };
    }
    case 'response.output_item.added':
      return item['type'] === 'function_call'
        ? writer.call(key, stringOf(item['call_id']), stringOf(item['name']))
        : undefined;
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return writer.text(key, 'text', stringOf(event['delta']));
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return writer.text(key, 'thinking', stringOf(event['delta']));
    case 'response.function_call_arguments.delta':
      return writer.arguments(key, stringOf(event['delta']));
    default:
      return undefined;
  }
};

/** The events of Responses as ours. The last one has the whole answer. */
export const responsesEvents = async function* (
  events: AsyncIterable<unknown>,
  provider: string,
): AsyncGenerator<ModelEvent> {
  const writer = new AnswerWriter(provider);
  for await (const given of events) {
    const event = membersOf(given);
    if (event['type'] === 'error') {
      const { message, code } = { ...membersOf(event['error']), ...event };
      throw new ModelError(classifyFailure({ text: `${stringOf(message)} ${stringOf(code)}` }), {
        provider,
        said: stringOf(message),
      });
    }
    if (ENDS.has(event['type'])) {
      yield { type: 'answer', answer: checkedAnswer(provider, responsesAnswer(event['response'], provider)) };
      return;
    }
    const found = eventOf(writer, event);
    if (found !== undefined) yield found;
  }
  writer.end();
};
