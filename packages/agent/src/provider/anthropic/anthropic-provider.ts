import type { ModelAnswer } from '../../conversation/model-answer.js';
import type { ModelEvent } from '../../conversation/model-event.js';
import type { ModelRequest } from '../../conversation/model-request.js';
import { checkedAnswer } from '../answer-writer.js';
import { ask, type AskParts, askStream } from '../ask.js';
import { collectAnswer, type ModelProvider } from '../provider.js';
import { countRequest } from '../count-request.js';
import { fromSdkError } from '../error/from-sdk-error.js';
import { featuresOf } from '../feature/model-features.js';
import { streamWithoutOutputTool, withoutOutputTool } from '../output-tool.js';
import { anthropicAnswer } from './anthropic-answer.js';
import { anthropicBatches } from './anthropic-batches.js';
import { anthropicClient, type AnthropicOptions } from './anthropic-client.js';
import { anthropicCount, anthropicRequest } from './anthropic-request.js';
import { anthropicEvents } from './anthropic-stream.js';

const headersFor = (betas: readonly string[]): { headers?: Record<string, string> } =>
  betas.length === 0 ? {} : { headers: { 'anthropic-beta': betas.join(',') } };

/** The SDK refuses long answers that are not streamed. */
const mustStream = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message.includes('Streaming is required');

/** Anthropic's Messages. */
export const anthropicProvider = (options: AnthropicOptions = {}): ModelProvider => {
  const { name = 'anthropic', apiKey } = options;
  const features = featuresOf('anthropic', options.features);
  const load = anthropicClient(options);
  const explain = async (thrown: unknown): Promise<unknown> =>
    fromSdkError(thrown, { provider: name, keys: [apiKey], errors: (await load()).errors });
  const parts: AskParts = { provider: name, explain };

  const open = async function* (request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { client } = await load();
    const { body, betas, usesOutputTool } = anthropicRequest(request, features, true);
    const events = await client.messages.create({ ...body, stream: true } as never, { signal, ...headersFor(betas) });
    const read = anthropicEvents(events as unknown as AsyncIterable<unknown>, name);
    yield* usesOutputTool ? streamWithoutOutputTool(read, request) : read;
  };

  const whole = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const { client } = await load();
    const { body, betas, usesOutputTool } = anthropicRequest(request, features, false);
    try {
      const message: unknown = await client.messages.create(body as never, { signal, ...headersFor(betas) });
      const answer = checkedAnswer(name, anthropicAnswer(message, name));
      return usesOutputTool ? withoutOutputTool(answer, request) : answer;
    } catch (thrown) {
      if (!mustStream(thrown)) throw thrown;
      return collectAnswer(open(request, signal));
    }
  };

  const count = async (request: ModelRequest, signal: AbortSignal): Promise<number> => {
    const { client } = await load();
    const { input_tokens } = await client.messages.countTokens(anthropicCount(request, features) as never, { signal });
    return input_tokens;
  };

  return {
    name,
    profile: 'anthropic',
    complete: (request, asked = {}) => ask(parts, asked, (signal) => whole(request, signal)),
    stream: (request, asked = {}) => askStream(parts, asked, (signal) => open(request, signal)),
    countTokens: (request, asked = {}) =>
      ask(parts, asked, (signal) => countRequest(request, (counted) => count(counted, signal))),
    batches: anthropicBatches(load, parts, features),
    close: () => undefined,
  };
};
