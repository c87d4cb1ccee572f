import { MODEL_RECORDING_FORMAT } from '@plugboard/contract';
import type { ModelAnswer } from '../../conversation/model-answer.js';
import type { ModelEvent } from '../../conversation/model-event.js';
import type { ModelRequest } from '../../conversation/model-request.js';
import type { AskOptions, ModelProvider } from '../provider.js';

/** Takes secrets out of a JSON value. */
export type RedactJson = (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

export interface RecordOptions {
  /** Takes the text of the recording, line by line. */
  readonly write: (text: string) => void;
  /** Keys of the provider are never recorded; this is for secrets in the conversation. */
  readonly redact: RedactJson;
  readonly now?: (() => Date) | undefined;
}

/** A provider whose answers are written down, to be replayed later. Requests that fail are not recorded. */
export const recordProvider = (provider: ModelProvider, { write, redact, now }: RecordOptions): ModelProvider => {
  const { name, profile } = provider;
  const put = (value: object): void => write(`${JSON.stringify(value)}\n`);
  put({
    format: MODEL_RECORDING_FORMAT,
    provider: name,
    profile,
    recordedAt: (now?.() ?? new Date()).toISOString(),
  });
  const note = (request: ModelRequest, answer: ModelAnswer): void =>
    put({ request: redact({ ...request }), answer: redact({ ...answer }) });
  const stream = async function* (request: ModelRequest, options?: AskOptions): AsyncGenerator<ModelEvent> {
    for await (const event of provider.stream(request, options)) {
      if (event.type === 'answer') note(request, event.answer);
      yield event;
    }
  };
  return {
    ...provider,
    complete: async (request, options) => {
      const answer = await provider.complete(request, options);
      note(request, answer);
      return answer;
    },
    stream,
  };
};
