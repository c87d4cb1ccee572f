import { isJsonObject } from '@plugboard/base';
import type { ModelEvent } from '../../conversation/model-event.js';
import { AnswerWriter } from '../answer-writer.js';
import { type Members, membersOf, objectsIn, requireObject, stringOf } from '../wire-json.js';
import { chatFinish, chatUsage, thoughtIn } from './chat-answer.js';

/**
 * Which call a piece belongs to. OpenAI says it by the index. Some compatible endpoints send none, or the same one with every
 * call: there, a name with another id begins another call.
 */
class CallKeys {
  readonly #latest = new Map<number, { readonly key: string; readonly id: string }>();
  #begun = 0;

  of({ index, id }: Members, at: number, name: string): string {
    const place = typeof index === 'number' ? index : at;
    const known = this.#latest.get(place);
    const isOther =
      name !== '' && (stringOf(id) === '' ? typeof index !== 'number' : known !== undefined && id !== known.id);
    if (known !== undefined && !isOther) return known.key;
    const key = `call ${(this.#begun += 1)}`;
    this.#latest.set(place, { key, id: stringOf(id) });
    return key;
  }
}

/** What a stream has told so far. */
interface Reading {
  readonly writer: AnswerWriter;
  readonly keys: CallKeys;
}

const callEvents = function* ({ writer, keys }: Reading, call: Members, at: number): Generator<ModelEvent | undefined> {
  const called = membersOf(call['function']);
  const name = stringOf(called['name']);
  const key = keys.of(call, at, name);
  if (name !== '') yield writer.call(key, stringOf(call['id']), name);
  yield writer.arguments(key, stringOf(called['arguments']));
};

const deltaEvents = function* (reading: Reading, delta: Members): Generator<ModelEvent | undefined> {
  const { writer } = reading;
  const thought = thoughtIn(delta);
  if (thought !== '') yield writer.text('thinking', 'thinking', thought);
  yield writer.text('text', 'text', stringOf(delta['content']) || stringOf(delta['refusal']));
  for (const [at, call] of objectsIn(delta['tool_calls']).entries()) yield* callEvents(reading, call, at);
};

/** The chunks of Chat Completions as events. */
export const chatEvents = async function* (
  chunks: AsyncIterable<unknown>,
  provider: string,
): AsyncGenerator<ModelEvent> {
  const writer = new AnswerWriter(provider);
  const reading: Reading = { writer, keys: new CallKeys() };
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
    for (const event of deltaEvents(reading, delta)) if (event !== undefined) yield event;
    const reason = choice['finish_reason'];
    if (typeof reason === 'string') writer.finish = refused ? { kind: 'refusal', raw: reason } : chatFinish(reason);
  }
  yield { type: 'answer', answer: writer.end() };
};
