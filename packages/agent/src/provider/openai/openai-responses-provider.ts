import type { ModelEvent } from '../../conversation/model-event.js';
import type { ModelRequest } from '../../conversation/model-request.js';
import { checkedAnswer } from '../answer-writer.js';
import { ask, askStream } from '../ask.js';
import { countRequest } from '../count-request.js';
import { ModelError } from '../error/model-error.js';
import type { ModelProvider } from '../provider.js';
import { droppingRefused } from './drop-refused.js';
import { openAiBatches } from './openai-batches.js';
import { type OpenAiOptions, openAiParts } from './openai-client.js';
import { openAiEmbeddings } from './openai-embeddings.js';
import { responsesAnswer } from './responses-answer.js';
import { responsesCount, responsesRequest } from './responses-request.js';
import { responsesEvents } from './responses-stream.js';

/** OpenAI's Responses. */
export const openAiResponsesProvider = (options: OpenAiOptions = {}): ModelProvider => {
  const { name, dialect, load, explain, parts } = openAiParts(options);

  const send = (body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> =>
    droppingRefused(body, async (changed) => {
      const { client } = await load();
      try {
        return await client.responses.create(changed as never, { signal });
      } catch (thrown) {
        throw await explain(thrown);
      }
    });

  const open = async function* (request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const events = await send({ ...responsesRequest(request, dialect), stream: true }, signal);
    yield* responsesEvents(events as AsyncIterable<unknown>, name);
  };

  const count = async (request: ModelRequest, signal: AbortSignal): Promise<number> => {
    const { client } = await load();
    const body = responsesCount(request, dialect);
    const { input_tokens: tokens } = await client.responses.inputTokens.count(body, { signal });
    if (typeof tokens === 'number') return tokens;
    throw new ModelError('server', { provider: name, said: 'the answer has no count of tokens.' });
  };

  return {
    name,
    profile: 'openai',
    complete: (request, asked = {}) =>
      ask(parts, asked, async (signal) =>
        checkedAnswer(name, responsesAnswer(await send(responsesRequest(request, dialect), signal), name)),
      ),
    stream: (request, asked = {}) => askStream(parts, asked, (signal) => open(request, signal)),
    countTokens: (request, asked = {}) =>
      ask(parts, asked, (signal) => countRequest(request, (counted) => count(counted, signal))),
    embed: openAiEmbeddings(load, parts),
    batches: openAiBatches(load, parts, {
      endpoint: '/v1/responses',
      body: (request) => responsesRequest(request, dialect),
      answer: responsesAnswer,
    }),
    close: () => undefined,
  };
};
