import { madeOnce } from '@plugboard/base';
import type {
  BedrockRuntimeClient,
  BedrockRuntimeClientConfig,
  ConverseCommand,
  ConverseStreamCommand,
  CountTokensCommand,
  InvokeModelCommand,
} from '@aws-sdk/client-bedrock-runtime';
import type { ModelFeatures } from '../feature/model-features.js';

export interface BedrockOptions {
  /** For messages. Default: `bedrock`. */
  readonly name?: string | undefined;
  readonly region: string;
  /** Without credentials, the key of the Bedrock API is required. */
  readonly credentials?:
    | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string | undefined }
    | undefined;
  /** A key of the Bedrock API instead of credentials. */
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly requestHandler?: BedrockRuntimeClientConfig['requestHandler'] | undefined;
  /** What you know of the model, where the built-in table is wrong or silent. */
  readonly features?: Partial<ModelFeatures> | undefined;
}

export interface LoadedBedrock {
  readonly client: BedrockRuntimeClient;
  readonly sdk: {
    readonly ConverseCommand: typeof ConverseCommand;
    readonly ConverseStreamCommand: typeof ConverseStreamCommand;
    readonly CountTokensCommand: typeof CountTokensCommand;
    readonly InvokeModelCommand: typeof InvokeModelCommand;
  };
}

const authentication = ({ credentials, apiKey }: BedrockOptions): BedrockRuntimeClientConfig => {
  if (apiKey !== undefined) return { token: { token: apiKey }, authSchemePreference: ['httpBearerAuth'] };
  const { sessionToken, ...pair } = credentials ?? { accessKeyId: 'none', secretAccessKey: 'none' };
  return {
    credentials: { ...pair, ...(sessionToken === undefined ? {} : { sessionToken }) },
    // Otherwise the SDK prefers a key of the Bedrock API in the environment of the process.
    authSchemePreference: ['sigv4'],
  };
};

/** Loads the SDK with the first request: a hub that asks no model does not pay for it. */
export const bedrockClient = (options: BedrockOptions): (() => Promise<LoadedBedrock>) =>
  madeOnce(async () => {
    const sdk = await import('@aws-sdk/client-bedrock-runtime');
    const client = new sdk.BedrockRuntimeClient({
      region: options.region,
      ...authentication(options),
      // Attempts are counted in one place.
      maxAttempts: 1,
      ...(options.baseUrl === undefined ? {} : { endpoint: options.baseUrl }),
      ...(options.requestHandler === undefined ? {} : { requestHandler: options.requestHandler }),
    });
    return { client, sdk };
  });
