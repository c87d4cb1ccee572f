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
import type { AwsCredentials } from './aws-signature.js';

/** Batch jobs read requests from S3 and write results to S3. */
export interface BedrockBatchOptions {
  /** The folder for requests and results, in a bucket in the region of the provider: `s3://bucket/folder`. */
  readonly s3Uri: string;
  /** The ARN of the service role with which Bedrock reads and writes there. */
  readonly roleArn: string;
  /** After this time the job ends with the results it has. Default: that of Bedrock, 24 hours. */
  readonly timeoutHours?: number | undefined;
  /** An address other than that of S3. The bucket is then the first part of the path. */
  readonly s3Url?: string | undefined;
  /** An address other than that of Bedrock's control plane. */
  readonly controlUrl?: string | undefined;
  /** Sends the requests to S3 and to the control plane. Default: the `fetch` of Node. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface BedrockOptions {
  /** For messages. Default: `bedrock`. */
  readonly name?: string | undefined;
  readonly region: string;
  /** Without credentials, the key of the Bedrock API is required. */
  readonly credentials?: AwsCredentials | undefined;
  /** A key of the Bedrock API instead of credentials. */
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly requestHandler?: BedrockRuntimeClientConfig['requestHandler'] | undefined;
  /** Where batches are kept. Without it, there are none. They need credentials. */
  readonly batch?: BedrockBatchOptions | undefined;
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
