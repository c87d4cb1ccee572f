import type { AssistantPart, ThinkingPart } from '../conversation/message.js';
import type { Finish, ModelAnswer, Usage } from '../conversation/model-answer.js';
import { NO_USAGE } from '../conversation/model-answer.js';
import type { ModelEvent } from '../conversation/model-event.js';
import { ModelError } from './error/model-error.js';

interface OpenCall {
  readonly type: 'tool-call';
  id: string;
  name: string;
  arguments: string;
}

interface OpenText {
  readonly type: 'text' | 'thinking';
  text: string;
  opaque?: ThinkingPart['opaque'];
}

/** Puts the pieces of a streamed answer together. Blocks are told apart by the keys that the provider gives them. */
export class AnswerWriter {
  readonly #blocks = new Map<string, OpenCall | OpenText>();
  readonly #provider: string;
  #calls = 0;
  readonly #indexes = new Map<string, number>();
  id: string | null = null;
  model = '';
  finish: Finish | undefined;
  usage: Usage = NO_USAGE;

  constructor(provider: string) {
    this.#provider = provider;
  }

  text(key: string, type: 'text' | 'thinking', text: string): ModelEvent | undefined {
    const block = this.#blocks.get(key);
    if (block === undefined) this.#blocks.set(key, { type, text });
    else if (block.type !== 'tool-call') block.text += text;
    return text === '' ? undefined : { type, text };
  }

  /** What the provider requires back with a thought. */
  opaque(key: string, opaque: NonNullable<ThinkingPart['opaque']>): void {
    const block = this.#blocks.get(key) ?? { type: 'thinking' as const, text: '' };
    if (block.type === 'thinking') this.#blocks.set(key, { ...block, opaque });
  }

  call(key: string, id: string, name: string): ModelEvent | undefined {
    if (this.#blocks.has(key)) return undefined;
    this.#blocks.set(key, { type: 'tool-call', id, name, arguments: '' });
    const index = this.#calls;
    this.#calls += 1;
    this.#indexes.set(key, index);
    return { type: 'tool-call', index, id, name };
  }

  arguments(key: string, text: string): ModelEvent | undefined {
    const block = this.#blocks.get(key);
    if (block?.type !== 'tool-call' || text === '') return undefined;
    block.arguments += text;
    return { type: 'tool-arguments', index: this.#indexes.get(key) ?? 0, text };
  }

  /** The whole answer. A stream without a finish was cut. */
  end(): ModelAnswer {
    if (this.finish === undefined) {
      throw new ModelError('connection', { provider: this.#provider, said: 'the stream ended before the answer did.' });
    }
    const content = [...this.#blocks.values()].map((block): AssistantPart => ({ ...block }));
    return checkedAnswer(this.#provider, {
      id: this.id,
      model: this.model,
      content: content.filter((part) => part.type !== 'text' || part.text !== ''),
      finish: this.finish,
      usage: this.usage,
    });
  }
}

/** An answer that says nothing and gives no reason is a failure. */
export const checkedAnswer = (provider: string, answer: ModelAnswer): ModelAnswer => {
  const says = answer.content.some(({ type }) => type !== 'thinking');
  if (says || !['stop', 'tool-calls'].includes(answer.finish.kind)) return answer;
  throw new ModelError('empty-response', { provider });
};
