import type { ModelEvent } from '../../conversation/model-event.js';
import { AnswerWriter } from '../answer-writer.js';
import { type Members, membersOf, stringOf } from '../wire-json.js';
import { bedrockFinish, bedrockUsage, keptThought } from './bedrock-answer.js';

/** A stream of Converse while it is read. */
class Reading {
  readonly writer: AnswerWriter;
  readonly #thoughts = new Map<string, string>();

  constructor(provider: string, model: string) {
    this.writer = new AnswerWriter(provider);
    this.writer.model = model;
  }

  read(event: Members): ModelEvent | undefined {
    if (event['messageStart'] !== undefined) return { type: 'start', model: this.writer.model };
    if (event['contentBlockStart'] !== undefined) {
      const { contentBlockIndex, start } = membersOf(event['contentBlockStart']);
      const use = membersOf(membersOf(start)['toolUse']);
      if (use['name'] === undefined) return undefined;
      return this.writer.call(String(contentBlockIndex), stringOf(use['toolUseId']), stringOf(use['name']));
    }
    if (event['contentBlockDelta'] !== undefined) return this.#add(membersOf(event['contentBlockDelta']));
    if (event['messageStop'] !== undefined) {
      this.writer.finish = bedrockFinish(membersOf(event['messageStop'])['stopReason']);
    }
    if (event['metadata'] !== undefined) this.writer.usage = bedrockUsage(membersOf(event['metadata'])['usage']);
    return undefined;
  }

  #add({ contentBlockIndex, delta: given }: Members): ModelEvent | undefined {
    const key = String(contentBlockIndex);
    const delta = membersOf(given);
    if (typeof delta['text'] === 'string') return this.writer.text(key, 'text', delta['text']);
    if (delta['toolUse'] !== undefined) {
      return this.writer.arguments(key, stringOf(membersOf(delta['toolUse'])['input']));
    }
    const { text, signature, redactedContent } = membersOf(delta['reasoningContent']);
    if (redactedContent !== undefined) this.writer.opaque(key, keptThought({ reasoningContent: { redactedContent } }));
    if (typeof text === 'string') {
      this.#thoughts.set(key, (this.#thoughts.get(key) ?? '') + text);
      return this.writer.text(key, 'thinking', text);
    }
    if (typeof signature === 'string') {
      const reasoningText = { text: this.#thoughts.get(key) ?? '', signature };
      this.writer.opaque(key, keptThought({ reasoningContent: { reasoningText } }));
    }
    return undefined;
  }
}

/** The events of ConverseStream as ours. */
export const bedrockEvents = async function* (
  events: AsyncIterable<unknown>,
  provider: string,
  model: string,
): AsyncGenerator<ModelEvent> {
  const reading = new Reading(provider, model);
  for await (const given of events) {
    const event = reading.read(membersOf(given));
    if (event !== undefined) yield event;
  }
  yield { type: 'answer', answer: reading.writer.end() };
};
