import { LLM_APIS, type LlmApi, type LlmTarget } from '@plugboard/check';
import type { AgentModel } from '@plugboard/contract';
import { didYouMean } from '../../terminal/did-you-mean.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface LlmTargetFlags {
  /** A provider or the address of an endpoint. */
  readonly target: string;
  readonly model: string;
  readonly api: LlmApi | undefined;
  /** The variable of the environment that holds the key. */
  readonly keyEnv: string | undefined;
  readonly region: string | undefined;
  readonly timeoutMs: number;
  readonly contextTokens: number | undefined;
  readonly burst: number;
  readonly batchMs: number | undefined;
  readonly cacheTokens: number | undefined;
  readonly embeddingModel: string | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

const PROVIDERS = {
  openai: { api: 'openai-responses', url: 'https://api.openai.com/v1' },
  anthropic: { api: 'anthropic', url: 'https://api.anthropic.com' },
  bedrock: { api: 'bedrock', url: undefined },
} as const satisfies Readonly<Record<string, { readonly api: LlmApi; readonly url: string | undefined }>>;

const KEYS: Readonly<Record<LlmApi, string>> = {
  'openai-chat': 'OPENAI_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  bedrock: 'AWS_BEARER_TOKEN_BEDROCK',
};

const isProvider = (name: string): name is keyof typeof PROVIDERS => Object.hasOwn(PROVIDERS, name);

const placeOf = ({ target, api, region }: LlmTargetFlags, env: Env): Pick<LlmTarget, 'api' | 'url'> => {
  if (isProvider(target)) {
    const known = PROVIDERS[target];
    const url = known.url ?? `https://bedrock-runtime.${region ?? env['AWS_REGION'] ?? 'us-east-1'}.amazonaws.com`;
    return { api: api ?? known.api, url };
  }
  if (/^https?:\/\//u.test(target) && URL.canParse(target)) return { api: api ?? 'openai-chat', url: target };
  throw invalidArgument(
    `"${target}" is neither a provider nor an http(s) address.`,
    didYouMean(target, Object.keys(PROVIDERS), 'Known providers: openai, anthropic, bedrock.'),
  );
};

const awsKeys = (region: string | undefined, env: Env): LlmTarget['aws'] => {
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: env['AWS_SESSION_TOKEN'],
    region: region ?? env['AWS_REGION'] ?? 'us-east-1',
  };
};

/** The endpoint that a command line means. Keys come from the environment, so they stay out of the shell history. */
export const llmTargetOf = (flags: LlmTargetFlags, env: Env): LlmTarget => {
  const { api, url } = placeOf(flags, env);
  const name = flags.keyEnv ?? KEYS[api];
  const key = env[name] === '' ? undefined : env[name];
  if (key === undefined && flags.keyEnv !== undefined) {
    throw invalidArgument(
      `The environment variable ${name} is not set.`,
      `Set it, or name another one with --key-env. APIs: ${LLM_APIS.join(', ')}.`,
    );
  }
  const { model, timeoutMs, contextTokens, burst, batchMs, cacheTokens, embeddingModel } = flags;
  const aws = api === 'bedrock' && key === undefined ? awsKeys(flags.region, env) : undefined;
  return { api, url, model, key, aws, timeoutMs, contextTokens, burst, batchMs, cacheTokens, embeddingModel };
};

const API_OF: Readonly<Record<AgentModel['provider'], LlmApi>> = {
  openai: 'openai-chat',
  'openai-responses': 'openai-responses',
  anthropic: 'anthropic',
  bedrock: 'bedrock',
};

/** The endpoint of an agent's model. The hub has its key, so no key is sent. */
export const agentTarget = (
  { provider, name, base_url: baseUrl }: AgentModel,
  flags: Omit<LlmTargetFlags, 'target' | 'model' | 'keyEnv'> & { readonly model: string | undefined },
): LlmTarget => {
  const api = flags.api ?? API_OF[provider];
  const target = baseUrl ?? (provider === 'openai-responses' ? 'openai' : provider);
  return {
    ...llmTargetOf({ ...flags, target, api, model: flags.model ?? name, keyEnv: undefined }, {}),
    isKeyed: true,
  };
};
