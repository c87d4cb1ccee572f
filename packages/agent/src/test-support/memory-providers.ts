import { DOUBLE_CREDENTIALS, DOUBLE_KEY, type LlmApi, type LlmDoubleOptions, MemoryLlm } from '@plugboard/testing/llm';
import { anthropicProvider } from '../provider/anthropic/anthropic-provider.js';
import { bedrockProvider } from '../provider/bedrock/bedrock-provider.js';
import type { ModelFeatures } from '../provider/feature/model-features.js';
import { openAiChatProvider } from '../provider/openai/openai-chat-provider.js';
import { openAiResponsesProvider } from '../provider/openai/openai-responses-provider.js';
import type { ModelProvider } from '../provider/provider.js';

export const APIS: readonly LlmApi[] = ['openai-chat', 'openai-responses', 'anthropic', 'bedrock'];

export const MODELS: Readonly<Record<LlmApi, string>> = {
  'openai-chat': 'gpt-double',
  'openai-responses': 'gpt-double',
  anthropic: 'claude-double',
  bedrock: 'anthropic.claude-double-v1:0',
};

export interface ProviderSetting {
  readonly api: LlmApi;
  readonly double: MemoryLlm;
  readonly provider: ModelProvider;
  readonly model: string;
}

interface Changes extends LlmDoubleOptions {
  readonly features?: Partial<ModelFeatures>;
  readonly apiKey?: string;
  readonly dialect?: 'openai' | 'compatible';
}

const providerOf = (api: LlmApi, double: MemoryLlm, { features, apiKey = DOUBLE_KEY, dialect = 'openai' }: Changes) => {
  const { fetch, url, openaiUrl } = double;
  const openai = { apiKey, baseUrl: openaiUrl, fetch, features, dialect };
  switch (api) {
    case 'openai-chat':
      return openAiChatProvider(openai);
    case 'openai-responses':
      return openAiResponsesProvider(openai);
    case 'anthropic':
      return anthropicProvider({ apiKey, baseUrl: url, fetch, features });
    case 'bedrock': {
      const { region, ...pair } = DOUBLE_CREDENTIALS;
      const credentials = apiKey === DOUBLE_KEY ? pair : { ...pair, secretAccessKey: apiKey };
      const requestHandler = double.awsHandler as never;
      return bedrockProvider({ region, credentials, baseUrl: url, requestHandler, features });
    }
  }
};

/** A provider that talks to a double of its API, without sockets. */
export const settingOf = (api: LlmApi, changes: Changes = {}): ProviderSetting => {
  const double = new MemoryLlm(changes);
  return { api, double, provider: providerOf(api, double, changes), model: MODELS[api] };
};
