import { PlugboardError } from '@plugboard/contract';
import type { AwsCredentials } from '../bedrock/aws-signature.js';
import type { ProviderKind } from './model-address.js';

/** Finds a value by the name that the provider's own tools use for it, such as `OPENAI_API_KEY`. */
export type ProviderVariable = (name: string) => string | undefined;

const KEYS = {
  openai: 'OPENAI_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
} as const satisfies Readonly<Record<Exclude<ProviderKind, 'bedrock'>, string>>;

const missing = (names: string): PlugboardError =>
  new PlugboardError('UNRESOLVED_VARIABLES', `The model provider needs ${names}, which has no value.`, {
    hint: {
      api: `Set it as a variable of the agent, or in the environment of the hub.`,
      cli: 'Set it in the environment of this command. An endpoint of your own (--base-url) may need none.',
    },
  });

/** An empty value is none: `OPENAI_API_KEY=` in a file leaves the key out. */
const valueOf =
  (variable: ProviderVariable): ProviderVariable =>
  (name) => {
    const value = variable(name);
    return value === undefined || value.trim() === '' ? undefined : value;
  };

/** The key of a provider with keys. An endpoint of one's own may need none. */
export const providerKey = (
  kind: keyof typeof KEYS,
  variable: ProviderVariable,
  baseUrl: string | undefined,
): string | undefined => {
  const apiKey = valueOf(variable)(KEYS[kind]);
  if (apiKey === undefined && baseUrl === undefined) throw missing(KEYS[kind]);
  return apiKey;
};

/** The region, and a key of the Bedrock API or credentials. */
export interface BedrockKeys {
  readonly region: string;
  readonly apiKey?: string;
  readonly credentials?: AwsCredentials;
}

export const bedrockKeys = (given: ProviderVariable): BedrockKeys => {
  const variable = valueOf(given);
  const region = variable('AWS_REGION') ?? variable('AWS_DEFAULT_REGION');
  const apiKey = variable('AWS_BEARER_TOKEN_BEDROCK');
  const accessKeyId = variable('AWS_ACCESS_KEY_ID');
  const secretAccessKey = variable('AWS_SECRET_ACCESS_KEY');
  if (region === undefined) throw missing('AWS_REGION');
  if (apiKey !== undefined) return { region, apiKey };
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw missing('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_BEARER_TOKEN_BEDROCK,');
  }
  return { region, credentials: { accessKeyId, secretAccessKey, sessionToken: variable('AWS_SESSION_TOKEN') } };
};
