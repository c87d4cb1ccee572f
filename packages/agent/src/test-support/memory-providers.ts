import {
  DOUBLE_BUCKET,
  DOUBLE_CREDENTIALS,
  DOUBLE_KEY,
  type LlmApi,
  type LlmDoubleOptions,
  MemoryLlm,
} from '@plugboard/testing/llm';
import { anthropicProvider } from '../provider/anthropic/anthropic-provider.js';
import type { BedrockBatchOptions } from '../provider/bedrock/bedrock-client.js';
import { bedrockProvider } from '../provider/bedrock/bedrock-provider.js';
import type { ModelFeatures } from '../provider/feature/model-features.js';
import { openAiChatProvider } from '../provider/openai/openai-chat-provider.js';
import { openAiResponsesProvider } from '../provider/openai/openai-responses-provider.js';
import type { ModelProvider } from '../provider/provider.js';

/** The APIs that there are providers for. */
export type ProviderApi = Exclude<LlmApi, 'gemini'>;

export const APIS: readonly ProviderApi[] = ['openai-chat', 'openai-responses', 'anthropic', 'bedrock'];

export const MODELS: Readonly<Record<ProviderApi, string>> = {
  'openai-chat': 'gpt-double',
  'openai-responses': 'gpt-double',
  anthropic: 'claude-double',
  bedrock: 'anthropic.claude-double-v1:0',
};

export interface ProviderSetting {
  readonly api: ProviderApi;
  readonly double: MemoryLlm;
  readonly provider: ModelProvider;
  readonly model: string;
}

interface Changes extends LlmDoubleOptions {
  readonly features?: Partial<ModelFeatures>;
  readonly apiKey?: string;
  /** Of the provider, for messages. */
  readonly name?: string;
  readonly dialect?: 'openai' | 'compatible';
  readonly batch?: Partial<BedrockBatchOptions>;
}

export const ROLE_ARN = 'arn:aws:iam::123456789012:role/batches';

const providerOf = (api: ProviderApi, double: MemoryLlm, changes: Changes) => {
  const { name, features, apiKey = DOUBLE_KEY, dialect = 'openai' } = changes;
  const { fetch, url, openaiUrl } = double;
  const openai = { name, apiKey, baseUrl: openaiUrl, fetch, features, dialect };
  switch (api) {
    case 'openai-chat':
      return openAiChatProvider(openai);
    case 'openai-responses':
      return openAiResponsesProvider(openai);
    case 'anthropic':
      return anthropicProvider({ name, apiKey, baseUrl: url, fetch, features });
    case 'bedrock': {
      const { region, ...pair } = DOUBLE_CREDENTIALS;
      const credentials = apiKey === DOUBLE_KEY ? pair : { ...pair, secretAccessKey: apiKey };
      const requestHandler = double.awsHandler as never;
      const place = { s3Uri: `s3://${DOUBLE_BUCKET}/batches`, s3Url: url, controlUrl: url };
      const batch = { ...place, roleArn: ROLE_ARN, fetch, ...changes.batch };
      return bedrockProvider({ name, region, credentials, baseUrl: url, requestHandler, features, batch });
    }
  }
};

/** A provider that talks to a double of its API, without sockets. */
export const settingOf = (api: ProviderApi, changes: Changes = {}): ProviderSetting => {
  const double = new MemoryLlm(changes);
  return { api, double, provider: providerOf(api, double, changes), model: MODELS[api] };
};
