export const LLM_APIS = ['openai-chat', 'openai-responses', 'anthropic', 'bedrock'] as const;

/** A wire format that providers of models speak. */
export type LlmApi = (typeof LLM_APIS)[number];

/** What signs requests to AWS. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  readonly region: string;
}

/** An endpoint of a model provider that is examined. */
export interface LlmTarget {
  readonly api: LlmApi;
  /** The address that the provider's own SDK has as its base. */
  readonly url: string;
  readonly model: string;
  /** The API key, sent as the provider expects it. */
  readonly key?: string | undefined;
  /** Bedrock without an API key: what signs the requests. */
  readonly aws?: AwsKeys | undefined;
  /** Requests without a key get one on their way. */
  readonly isKeyed?: boolean | undefined;
  /** OpenAI Chat Completions: the name of the limit. Older endpoints know only `max_tokens`. */
  readonly limitField?: 'max_completion_tokens' | 'max_tokens' | undefined;
  /** How long one answer may take. */
  readonly timeoutMs: number;
  /** Size of the context window: with it, the suite also sends one prompt that is too long. */
  readonly contextTokens?: number | undefined;
  /** How many requests to send at once to meet the rate limit; 0: none. */
  readonly burst: number;
  /** Also send one prompt of about this size twice, to see the cache of prompts. */
  readonly cacheTokens?: number | undefined;
  /** Also ask this model for embeddings. */
  readonly embeddingModel?: string | undefined;
  /** Also submit a batch, and wait this long for its results. */
  readonly batchMs?: number | undefined;
}
