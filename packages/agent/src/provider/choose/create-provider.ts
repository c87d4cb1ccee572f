import { PlugboardError } from '@plugboard/contract';
import { anthropicProvider } from '../anthropic/anthropic-provider.js';
import { bedrockProvider } from '../bedrock/bedrock-provider.js';
import { fetchHandler } from '../bedrock/fetch-handler.js';
import type { ProviderKind } from './model-address.js';
import { openAiChatProvider } from '../openai/openai-chat-provider.js';
import { openAiResponsesProvider } from '../openai/openai-responses-provider.js';
import type { ModelProvider } from '../provider.js';
import { bedrockKeys, providerKey, type ProviderVariable } from './provider-keys.js';

export interface ProviderOptions {
  readonly baseUrl?: string | undefined;
  readonly variable: ProviderVariable;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A provider with the keys that its variables have. An endpoint of one's own may need none. */
export const createProvider = (kind: ProviderKind, { baseUrl, variable, fetch }: ProviderOptions): ModelProvider => {
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) {
    throw new PlugboardError('INVALID_ARGUMENT', `The base URL "${baseUrl}" is not a URL.`, {
      hint: 'It begins with http:// or https://.',
    });
  }
  if (kind === 'bedrock') {
    const requestHandler = fetch === undefined ? undefined : fetchHandler(fetch);
    return bedrockProvider({ ...bedrockKeys(variable), baseUrl, requestHandler });
  }
  const shared = { apiKey: providerKey(kind, variable, baseUrl), baseUrl, fetch };
  switch (kind) {
    case 'openai':
      return openAiChatProvider(shared);
    case 'openai-responses':
      return openAiResponsesProvider(shared);
    case 'anthropic':
      return anthropicProvider(shared);
  }
};
