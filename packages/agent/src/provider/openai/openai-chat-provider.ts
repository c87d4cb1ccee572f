import type { ModelAnswer } from '../../conversation/model-answer.js';
import type { ModelEvent } from '../../conversation/model-event.js';
import type { ModelRequest } from '../../conversation/model-request.js';
import { checkedAnswer } from '../answer-writer.js';
import { ask, askStream } from '../ask.js';
import type { AskOptions, ModelProvider } from '../provider.js';
import { chatAnswer } from './chat-answer.js';
import { chatRequest } from './chat-request.js';
import { chatEvents } from './chat-stream.js';
import { droppingRefused } from './drop-refused.js';
import { openAiBatches } from './openai-batches.js';
import { type OpenAiOptions, openAiParts } from './openai-client.js';
import { openAiEmbeddings } from './openai-embeddings.js';

type Body = Readonly<Record<string, unknown>>;

/** OpenAI's Chat Completions, and every endpoint that is compatible with it. */
export const openAiChatProvider = (options: OpenAiOptions = {}): ModelProvider => {
  const { name, dialect, load, explain, parts } = openAiParts(options);

  const send = async (body: Body, signal: AbortSignal): Promise<unknown> => {
    const { client } = await load();
    try {
      return await client.chat.completions.create(body as never, { signal });
    } catch (thrown) {
      throw await explain(thrown);
    }
  };

  const open = async function* (request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const body = { ...chatRequest(request, dialect), stream: true, stream_options: { include_usage: true } };
    const chunks = await droppingRefused(body, (changed) => send(changed, signal));
    yield* chatEvents(chunks as AsyncIterable<unknown>, name);
  };

  return {
    name,
    profile: 'openai',
    complete: (request: ModelRequest, asked: AskOptions = {}): Promise<ModelAnswer> =>
      ask(parts, asked, async (signal) => {
        const body = await droppingRefused(chatRequest(request, dialect), (changed) => send(changed, signal));
        return checkedAnswer(name, chatAnswer(body, name));
      }),
    stream: (request, asked = {}) => askStream(parts, asked, (signal) => open(request, signal)),
    embed: openAiEmbeddings(load, parts),
    batches: openAiBatches(load, parts, {
      endpoint: '/v1/chat/completions',
      body: (request) => chatRequest(request, dialect),
      answer: chatAnswer,
    }),
    close: () => undefined,
  };
};
