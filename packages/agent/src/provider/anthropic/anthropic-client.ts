import { madeOnce } from '@plugboard/base';
import type Anthropic from '@anthropic-ai/sdk';
import type { SdkErrors } from '../error/from-sdk-error.js';
import type { ModelFeatures } from '../feature/model-features.js';

export interface AnthropicOptions {
  /** For messages. Default: `anthropic`. */
  readonly name?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** What you know of the model, where the built-in table is wrong or silent. */
  readonly features?: Partial<ModelFeatures> | undefined;
}

export interface LoadedAnthropic {
  readonly client: Anthropic;
  readonly errors: SdkErrors;
}

/** Loads the SDK with the first request: a hub that asks no model does not pay for it. */
export const anthropicClient = ({
  apiKey,
  baseUrl,
  headers,
  fetch,
}: AnthropicOptions): (() => Promise<LoadedAnthropic>) =>
  madeOnce(async () => {
    const { default: Sdk } = await import('@anthropic-ai/sdk');
    const client = new Sdk({
      // Without a key the SDK would read the environment of the process.
      apiKey: apiKey ?? 'none',
      authToken: null,
      baseURL: baseUrl ?? 'https://api.anthropic.com',
      // Attempts are counted in one place.
      maxRetries: 0,
      ...(headers === undefined ? {} : { defaultHeaders: { ...headers } }),
      ...(fetch === undefined ? {} : { fetch }),
    });
    return { client, errors: Sdk };
  });
