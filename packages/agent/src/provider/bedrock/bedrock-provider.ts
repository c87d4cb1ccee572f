import { isJsonObject } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import type { ModelEvent } from '../../conversation/model-event.js';
import type { ModelRequest } from '../../conversation/model-request.js';
import { checkedAnswer } from '../answer-writer.js';
import { ask, type AskParts, askStream } from '../ask.js';
import { countRequest } from '../count-request.js';
import { ModelError } from '../error/model-error.js';
import { featuresOf } from '../feature/model-features.js';
import { streamWithoutOutputTool, withoutOutputTool } from '../output-tool.js';
import type { ModelProvider } from '../provider.js';
import { bedrockAnswer } from './bedrock-answer.js';
import { bedrockBatches } from './bedrock-batches.js';
import { bedrockClient, type BedrockOptions, type LoadedBedrock } from './bedrock-client.js';
import { bedrockEmbeddings } from './bedrock-embeddings.js';
import { bedrockCount, bedrockRequest } from './bedrock-request.js';
import { bedrockEvents } from './bedrock-stream.js';
import { classifyFailure } from '../error/classify-failure.js';
import { hideKey } from '../error/hide-key.js';
import { retryAfterMs } from '../error/retry-after.js';

const NOTHING: AsyncIterable<unknown> = {
  async *[Symbol.asyncIterator]() {
    // A response without a stream is a stream without events.
  },
};

interface AwsFailure extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number | undefined } | undefined;
  readonly $response?: { readonly headers?: unknown } | undefined;
}

const TIMEOUTS: ReadonlySet<string> = new Set(['TimeoutError', 'ModelTimeoutException', 'RequestTimeout']);

const headersOf = (given: unknown): Headers | undefined => {
  if (!isJsonObject(given)) return undefined;
  return new Headers(Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
};

/** What the SDK of AWS threw, as one of our errors. */
const fromAwsError = (thrown: unknown, provider: string, keys: readonly (string | undefined)[]): unknown => {
  if (thrown instanceof PlugboardError || !(thrown instanceof Error)) return thrown;
  const failed: AwsFailure = thrown;
  const said = hideKey(failed.message, keys);
  if (TIMEOUTS.has(failed.name)) return new ModelError('timeout', { provider, said, cause: thrown });
  const status = failed.$metadata?.httpStatusCode;
  // Inside a stream there is a name, and the status is that of the stream.
  if (status !== undefined || failed.name.endsWith('Exception')) {
    const known = status !== undefined && status >= 400 ? status : undefined;
    return new ModelError(classifyFailure({ status: known, text: `${failed.name} ${failed.message}` }), {
      provider,
      said,
      status: known,
      retryAfterMs: retryAfterMs(headersOf(failed.$response?.headers)),
      cause: thrown,
    });
  }
  return new ModelError('connection', { provider, said, cause: thrown });
};

/** Amazon Bedrock's Converse, for all models that it offers. */
export const bedrockProvider = (options: BedrockOptions): ModelProvider => {
  const { name = 'bedrock', apiKey, credentials } = options;
  const features = featuresOf('anthropic', options.features);
  let loaded: LoadedBedrock | undefined;
  const loadOnce = bedrockClient(options);
  const load = async (): Promise<LoadedBedrock> => (loaded = await loadOnce());
  const secrets = [apiKey, credentials?.secretAccessKey, credentials?.sessionToken];
  const parts: AskParts = { provider: name, explain: async (thrown) => fromAwsError(thrown, name, secrets) };

  const open = async function* (request: ModelRequest, abortSignal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { client, sdk } = await load();
    const input = bedrockRequest(request, features);
    const { stream } = await client.send(new sdk.ConverseStreamCommand(input as never), { abortSignal });
    const events = bedrockEvents(stream ?? NOTHING, name, request.model);
    yield* request.output === undefined ? events : streamWithoutOutputTool(events, request);
  };

  const count = async (request: ModelRequest, abortSignal: AbortSignal): Promise<number> => {
    const { client, sdk } = await load();
    const input = bedrockCount(request, features);
    const { inputTokens } = await client.send(new sdk.CountTokensCommand(input as never), { abortSignal });
    if (inputTokens !== undefined) return inputTokens;
    throw new ModelError('server', { provider: name, said: 'the answer has no count of tokens.' });
  };

  return {
    name,
    profile: 'bedrock',
    complete: (request, asked = {}) =>
      ask(parts, asked, async (abortSignal) => {
        const { client, sdk } = await load();
        const input = bedrockRequest(request, features);
        const body = await client.send(new sdk.ConverseCommand(input as never), { abortSignal });
        const answer = checkedAnswer(name, bedrockAnswer(body, request.model));
        return request.output === undefined ? answer : withoutOutputTool(answer, request);
      }),
    stream: (request, asked = {}) => askStream(parts, asked, (signal) => open(request, signal)),
    countTokens: (request, asked = {}) =>
      ask(parts, asked, (signal) => countRequest(request, (counted) => count(counted, signal))),
    embed: bedrockEmbeddings(load, parts),
    batches: bedrockBatches(options, parts, features),
    close: () => loaded?.client.destroy(),
  };
};
