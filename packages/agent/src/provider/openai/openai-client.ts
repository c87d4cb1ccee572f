import { madeOnce } from '@plugboard/base';
import type OpenAI from 'openai';
import type { AskParts } from '../ask.js';
import { fromSdkError, type SdkErrors } from '../error/from-sdk-error.js';
import { type FeatureLookup, featuresOf, type ModelFeatures } from '../feature/model-features.js';

export interface OpenAiOptions {
  /** For messages. Default: `openai`. */
  readonly name?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Default: OpenAI itself. Any compatible endpoint can stand here. */
  readonly baseUrl?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * `openai`: OpenAI itself. `compatible`: parameters that only OpenAI knows are left out. Default: by the base URL.
   */
  readonly dialect?: 'openai' | 'compatible' | undefined;
  /** What you know of the model, where the built-in table is wrong or silent. */
  readonly features?: Partial<ModelFeatures> | undefined;
}

/** How requests are written. */
export interface OpenAiDialect {
  readonly genuine: boolean;
  readonly features: FeatureLookup;
}

export interface LoadedOpenAi {
  readonly client: OpenAI;
  readonly errors: SdkErrors;
  readonly toFile: typeof OpenAI.toFile;
}

/** Loads the SDK with the first request: a hub that asks no model does not pay for it. */
const openAiClient = ({ apiKey, baseUrl, headers, fetch }: OpenAiOptions): (() => Promise<LoadedOpenAi>) =>
  madeOnce(async () => {
    const { default: Sdk } = await import('openai');
    const client = new Sdk({
      // Without a key the SDK would read the environment of the process.
      apiKey: apiKey ?? 'none',
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL: baseUrl ?? 'https://api.openai.com/v1',
      // Attempts are counted in one place.
      maxRetries: 0,
      ...(headers === undefined ? {} : { defaultHeaders: { ...headers } }),
      ...(fetch === undefined ? {} : { fetch }),
    });
    return { client, errors: Sdk, toFile: Sdk.toFile };
  });

const dialectOf = ({ dialect, baseUrl, features }: OpenAiOptions): OpenAiDialect => ({
  genuine:
    dialect === undefined ? baseUrl === undefined || new URL(baseUrl).host === 'api.openai.com' : dialect === 'openai',
  features: featuresOf('openai', features),
});

/** What the providers of both APIs of OpenAI are made of. */
export const openAiParts = (options: OpenAiOptions) => {
  const { name = 'openai', apiKey } = options;
  const load = openAiClient(options);
  const explain = async (thrown: unknown): Promise<unknown> =>
    fromSdkError(thrown, { provider: name, keys: [apiKey], errors: (await load()).errors });
  const parts: AskParts = { provider: name, explain };
  return { name, dialect: dialectOf(options), load, explain, parts };
};
