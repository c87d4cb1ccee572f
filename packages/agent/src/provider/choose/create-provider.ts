import { PlugboardError } from '@plugboard/contract';
import { anthropicProvider } from '../anthropic/anthropic-provider.js';
import { bedrockProvider } from '../bedrock/bedrock-provider.js';
import { fetchHandler } from '../bedrock/fetch-handler.js';
import type { ProviderKind } from './model-address.js';
import { openAiChatProvider } from '../openai/openai-chat-provider.js';
import { openAiResponsesProvider } from '../openai/openai-responses-provider.js';
import type { ModelProvider } from '../provider.js';

export interface ProviderOptions {
  readonly baseUrl?: string | undefined;
  /** Finds a value by the name that the provider's own tools use for it, such as `OPENAI_API_KEY`. */
  readonly variable: (name: string) => string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const KEYS = {
  openai: 'OPENAI_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
} as const;

const missing = (names: string): PlugboardError =>
  new PlugboardError('UNRESOLVED_VARIABLES', `The model provider needs ${names}, which has no value.`, {
    hint: {
      api: `Set it as a variable of the agent, or in the environment of the hub.`,
      cli: 'Set it in the environment of this command. An endpoint of your own (--base-url) may need none.',
    },
  });

/** An empty value is none: `OPENAI_API_KEY=` in a file leaves the key out. */
const valueOf =
  ({ variable }: ProviderOptions) =>
  (name: string): string | undefined => {
    const value = variable(name);
    return value === undefined || value.trim() === '' ? undefined : value;
  };

const bedrock = (options: ProviderOptions): ModelProvider => {
  const { baseUrl, fetch } = options;
  const variable = valueOf(options);
  const region = variable('AWS_REGION') ?? variable('AWS_DEFAULT_REGION');
  const apiKey = variable('AWS_BEARER_TOKEN_BEDROCK');
  const accessKeyId = variable('AWS_ACCESS_KEY_ID');
  const secretAccessKey = variable('AWS_SECRET_ACCESS_KEY');
  if (region === undefined) throw missing('AWS_REGION');
  const shared = { region, baseUrl, requestHandler: fetch === undefined ? undefined : fetchHandler(fetch) };
  if (apiKey !== undefined) return bedrockProvider({ ...shared, apiKey });
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw missing('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_BEARER_TOKEN_BEDROCK,');
  }
  const sessionToken = variable('AWS_SESSION_TOKEN');
  return bedrockProvider({ ...shared, credentials: { accessKeyId, secretAccessKey, sessionToken } });
};

/** A provider with the keys that its variables have. An endpoint of one's own may need none. */
export const createProvider = (kind: ProviderKind, options: ProviderOptions): ModelProvider => {
  const { baseUrl, fetch } = options;
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) {
    throw new PlugboardError('INVALID_ARGUMENT', `The base URL "${baseUrl}" is not a URL.`, {
      hint: 'It begins with http:// or https://.',
    });
  }
  if (kind === 'bedrock') return bedrock(options);
  const apiKey = valueOf(options)(KEYS[kind]);
  if (apiKey === undefined && baseUrl === undefined) throw missing(KEYS[kind]);
  const shared = { apiKey, baseUrl, fetch };
  switch (kind) {
    case 'openai':
      return openAiChatProvider(shared);
    case 'openai-responses':
      return openAiResponsesProvider(shared);
    case 'anthropic':
      return anthropicProvider(shared);
  }
};
