import { isJsonObject } from '@plugboard/base';
import type { ModelEvent } from '../../conversation/model-event.js';
import { AnswerWriter } from '../answer-writer.js';
import { type Members, membersOf, objectsIn, requireObject, stringOf } from '../wire-json.js';
import { chatFinish, chatUsage, thoughtIn } from './chat-answer.js';

const callEvents = function* (writer: AnswerWriter, delta: Members, at: number): Generator<ModelEvent | undefined> {
  const { index, id, function: called } = delta;
  const { name, arguments: args } = membersOf(called);
  const key = `call ${typeof index === 'number' ? index : at}`;
  if (typeof name === 'string' && name !== '') yield writer.call(key, stringOf(id), name);
  yield writer.arguments(key, stringOf(args));
};

const deltaEvents = function* (writer: AnswerWriter, delta: Members): Generator<ModelEvent | undefined> {
  const thought = thoughtIn(delta);
  if (thought !== '') yield writer.text('thinking', 'thinking', thought);
  yield writer.text('text', 'text', stringOf(delta['content']) || stringOf(delta['refusal']));
  for (const [at, call] of objectsIn(delta['tool_calls']).entries()) yield* callEvents(writer, call, at);
};

/** The chunks of Chat Completions as events. */
export const chatEvents = async function* (
  chunks: AsyncIterable<unknown>,
  provider: string,
): AsyncGenerator<ModelEvent> {
  const writer = new AnswerWriter(provider);
  let refused = false;
  let started = false;
  for await (const chunk of chunks) {
    const { id, model, choices, usage } = requireObject(chunk, provider);
    if (!started) {
      started = true;
      writer.id = stringOf(id) || null;
      writer.model = stringOf(model);
      yield { type: 'start', model: writer.model };
    }
    if (isJsonObject(usage)) writer.usage = chatUsage(usage);
    const choice = membersOf(objectsIn(choices)[0]);
    const delta = membersOf(choice['delta']);
    refused ||= stringOf(delta['refusal']) !== '';
    for (const event of deltaEvents(writer, delta)) if (event !== undefined) yield event;
    const reason = choice['finish_reason'];
    if (typeof reason === 'string') writer.finish = refused ? { kind: 'refusal', raw: reason } : chatFinish(reason);
  }
  yield { type: 'answer', answer: writer.end() };
};
