import { createHash } from 'node:crypto';
import type { ModelRecording } from '@plugboard/contract';
import { canonicalJson, isProfileId } from '@plugboard/schema';
import type { ModelAnswer } from '../../conversation/model-answer.js';
import type { ModelEvent } from '../../conversation/model-event.js';
import type { ModelRequest } from '../../conversation/model-request.js';
import { ModelError } from '../error/model-error.js';
import type { AskOptions, ModelProvider } from '../provider.js';
import type { RedactJson } from './record-provider.js';

export interface ReplayOptions {
  /** The same as that of the recording: requests are compared without their secrets. */
  readonly redact: RedactJson;
}

/** What makes two requests the same: everything that the model reads. */
const keyOf = (request: Readonly<Record<string, unknown>>): string => {
  const { model, system, messages, tools, toolChoice, output } = request;
  const read: unknown = JSON.parse(JSON.stringify({ model, system, messages, tools, toolChoice, output }));
  return createHash('sha256').update(canonicalJson(read)).digest('hex');
};

const eventsOf = function* (answer: ModelAnswer): Generator<ModelEvent> {
  yield { type: 'start', model: answer.model };
  let index = 0;
  for (const part of answer.content) {
    if (part.type === 'tool-call') {
      yield { type: 'tool-call', index, id: part.id, name: part.name };
      yield { type: 'tool-arguments', index, text: part.arguments };
      index += 1;
    } else if (part.text !== '') {
      yield { type: part.type, text: part.text };
    }
  }
  yield { type: 'answer', answer };
};

/**
 * Answers as a recorded model did. A request that was recorded several times gets its answers in their order, and then again
 * from the first one.
 */
export const replayProvider = ({ head, answers }: ModelRecording, { redact }: ReplayOptions): ModelProvider => {
  const known = new Map<string, { readonly answers: ModelAnswer[]; next: number }>();
  for (const { request, answer } of answers) {
    const key = keyOf(request);
    const entry = known.get(key) ?? { answers: [], next: 0 };
    entry.answers.push(answer as unknown as ModelAnswer);
    known.set(key, entry);
  }
  const take = (request: ModelRequest, options: AskOptions | undefined): ModelAnswer => {
    options?.signal?.throwIfAborted();
    const entry = known.get(keyOf(redact({ ...request })));
    const answer = entry?.answers[entry.next % entry.answers.length];
    if (entry === undefined || answer === undefined) {
      throw new ModelError('not-found', {
        provider: head.provider,
        said: 'the recording has no answer to this request.',
        hint: 'Record again: the prompt, the instructions or the tools have changed.',
      });
    }
    entry.next += 1;
    return answer;
  };
  return {
    name: head.provider,
    profile: isProfileId(head.profile) ? head.profile : 'openai',
    complete: async (request, options) => take(request, options),
    stream: async function* (request, options) {
      yield* eventsOf(take(request, options));
    },
    close: () => undefined,
  };
};
