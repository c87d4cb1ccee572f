import type { ModelEvent } from '../../conversation/model-event.js';
import { AnswerWriter } from '../answer-writer.js';
import { type Members, membersOf, stringOf } from '../wire-json.js';
import { anthropicFinish, anthropicUsage, OPAQUE } from './anthropic-answer.js';

/** A stream of Messages while it is read. */
class Reading {
  readonly writer: AnswerWriter;
  #usage: Members = {};
  readonly #thoughts = new Map<string, string>();

  constructor(provider: string) {
    this.writer = new AnswerWriter(provider);
  }

  read(event: Members): ModelEvent | undefined {
    const key = String(event['index']);
    switch (event['type']) {
      case 'message_start':
        return this.#start(membersOf(event['message']));
      case 'content_block_start':
        return this.#open(key, membersOf(event['content_block']));
      case 'content_block_delta':
        return this.#add(key, membersOf(event['delta']));
      case 'message_delta':
        this.writer.finish = anthropicFinish(membersOf(event['delta'])['stop_reason']);
        this.#count(event['usage']);
        return undefined;
      default:
        return undefined;
    }
  }

  #start(message: Members): ModelEvent {
    this.writer.id = stringOf(message['id']) || null;
    this.writer.model = stringOf(message['model']);
    this.#count(message['usage']);
    return { type: 'start', model: this.writer.model };
  }

  #count(usage: unknown): void {
    const reported = Object.entries(membersOf(usage)).filter(([, count]) => count !== null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(reported) };
    this.writer.usage = anthropicUsage(this.#usage);
  }

  #open(key: string, block: Members): ModelEvent | undefined {
    switch (block['type']) {
      case 'tool_use':
        return this.writer.call(key, stringOf(block['id']), stringOf(block['name']));
      case 'text':
        return this.writer.text(key, 'text', stringOf(block['text']));
      case 'thinking':
        this.#thoughts.set(key, stringOf(block['thinking']));
        return this.writer.text(key, 'thinking', stringOf(block['thinking']));
      case 'redacted_thinking':
        this.writer.opaque(key, { provider: OPAQUE, value: block });
        return undefined;
      default:
        return undefined;
    }
  }

  #add(key: string, delta: Members): ModelEvent | undefined {
    switch (delta['type']) {
      case 'text_delta':
        return this.writer.text(key, 'text', stringOf(delta['text']));
      case 'thinking_delta': {
        const text = stringOf(delta['thinking']);
        this.#thoughts.set(key, (this.#thoughts.get(key) ?? '') + text);
        return this.writer.text(key, 'thinking', text);
      }
      case 'signature_delta': {
        const thinking = this.#thoughts.get(key) ?? '';
        this.writer.opaque(key, {
          provider: OPAQUE,
          value: { type: 'thinking', thinking, signature: stringOf(delta['signature']) },
        });
        return undefined;
      }
      case 'input_json_delta':
        return this.writer.arguments(key, stringOf(delta['partial_json']));
      default:
        return undefined;
    }
  }
}

/** The events of Messages as ours. */
export const anthropicEvents = async function* (
  events: AsyncIterable<unknown>,
  provider: string,
): AsyncGenerator<ModelEvent> {
  const reading = new Reading(provider);
  for await (const given of events) {
    const event = reading.read(membersOf(given));
    if (event !== undefined) yield event;
  }
  yield { type: 'answer', answer: reading.writer.end() };
};
