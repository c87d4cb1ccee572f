import type { ModelAnswer } from '../conversation/model-answer.js';
import type { ModelEvent } from '../conversation/model-event.js';
import type { AskOptions } from './provider.js';
import { REQUEST_MS, STREAM_MS, TimeLimit } from './time-limit.js';

export interface AskParts {
  readonly provider: string;
  /** What the SDK threw, as one of our errors. */
  readonly explain: (thrown: unknown) => Promise<unknown>;
}

/** Makes one request within its time. */
export const ask = async <Answer = ModelAnswer>(
  { provider, explain }: AskParts,
  options: AskOptions,
  send: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  using limit = new TimeLimit(options, REQUEST_MS);
  try {
    return await send(limit.signal);
  } catch (thrown) {
    throw limit.explain(await explain(thrown), provider);
  }
};

/** Reads one stream within its time. Who stops reading ends the request. */
export const askStream = async function* (
  { provider, explain }: AskParts,
  options: AskOptions,
  open: (signal: AbortSignal) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  using limit = new TimeLimit(options, STREAM_MS);
  try {
    for await (const event of open(limit.signal)) {
      limit.signal.throwIfAborted();
      yield event;
    }
  } catch (thrown) {
    throw limit.explain(await explain(thrown), provider);
  }
};
