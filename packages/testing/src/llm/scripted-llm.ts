import { anthropicSideRoutes } from './anthropic/batches.js';
import { messages } from './anthropic/messages.js';
import { converse } from './bedrock/converse.js';
import { bedrockCountTokens } from './bedrock/count-tokens.js';
import { bedrockEmbeddings } from './bedrock/embeddings.js';
import { invocationJobs } from './bedrock/invocation-jobs.js';
import { CONVERSE_PATH } from './bedrock/read-converse.js';
import { bucketsNamed, S3_PATH, s3Objects, s3Problem } from './bedrock/s3.js';
import type { AwsCredentials } from './bedrock/signature.js';
import { generateContent } from './gemini/generate.js';
import { GENERATE_PATH } from './gemini/read-generate.js';
import { openaiBatches } from './openai/batches.js';
import { chat } from './openai/chat.js';
import { openaiEmbeddings } from './openai/embeddings.js';
import { openaiInputTokens } from './openai/input-tokens.js';
import { openaiModels } from './openai/models.js';
import { responses } from './openai/responses.js';
import { answerTurn } from './script/answer-turn.js';
import type { LlmRequest } from './script/llm-request.js';
import type { Models } from './script/model-facts.js';
import type { ProviderApi } from './script/provider-api.js';
import type { Reading } from './script/reading.js';
import { Refusal } from './script/refusal.js';
import type { SideContext, SideRoute } from './script/side-route.js';
import { plainJudge, type ToolJudge } from './script/tool-judge.js';
import { TurnScript } from './script/turn-script.js';
import type { Arrival } from './wire/arrival.js';
import type { Reply } from './wire/reply.js';

export interface LlmDoubleOptions {
  /** The models that exist. Default: `gpt-double`, `o-double` (reasoning), `claude-double` and `gemini-double`, each with 100,000 tokens. */
  readonly models?: Models;
  /** The keys that are accepted by the APIs of OpenAI, Anthropic and Gemini. Default: `sk-double`. */
  readonly keys?: readonly string[];
  /** Who may sign requests to Bedrock. */
  readonly credentials?: AwsCredentials;
  /** The buckets of S3 that exist. Default: `double-bucket`. */
  readonly buckets?: readonly string[];
  /** The fewest records of a batch job of Bedrock. Default: 100, the quota of most models. */
  readonly fewestBatchRecords?: number;
  /** More rules for tools, such as the profiles of the schema doctor. */
  readonly judge?: ToolJudge;
}

export const DOUBLE_KEY = 'sk-double';

export const DOUBLE_CREDENTIALS: AwsCredentials = {
  accessKeyId: 'AKIADOUBLE',
  secretAccessKey: 'secret-of-the-double',
  region: 'us-east-1',
};

/** The bucket of S3 that exists. */
export const DOUBLE_BUCKET = 'double-bucket';

const DEFAULT_MODELS: Models = {
  'gpt-double': { contextTokens: 100_000 },
  'o-double': { contextTokens: 100_000, reasoning: true },
  'claude-double': { contextTokens: 100_000 },
  'anthropic.claude-double-v1:0': { contextTokens: 100_000 },
  'gemini-double': { contextTokens: 100_000 },
  'embedding-double': {},
  'amazon.titan-embed-text-double': {},
  'cohere.embed-double': {},
};

/** Answers requests as OpenAI, Anthropic, Bedrock and Gemini do, with the turns of a script. It knows nothing of sockets. */
export class ScriptedLlm {
  readonly script = new TurnScript();
  readonly requests: LlmRequest[] = [];
  readonly refusals: string[] = [];
  readonly #reading: Reading;
  readonly #apis: readonly { readonly path: RegExp; readonly api: ProviderApi }[];
  readonly #sideRoutes: readonly SideRoute[];
  #ids = 0;

  constructor(options: LlmDoubleOptions = {}) {
    const own = options.judge;
    const credentials = options.credentials ?? DOUBLE_CREDENTIALS;
    const buckets = bucketsNamed(options.buckets ?? [DOUBLE_BUCKET]);
    this.#reading = {
      models: options.models ?? DEFAULT_MODELS,
      keys: new Set(options.keys ?? [DOUBLE_KEY]),
      judge: own === undefined ? plainJudge : (api, tools) => [...plainJudge(api, tools), ...own(api, tools)],
    };
    this.#apis = [
      { path: /^\/v1\/chat\/completions$/u, api: chat },
      { path: /^\/v1\/responses$/u, api: responses },
      { path: /^\/v1\/messages$/u, api: messages },
      { path: CONVERSE_PATH, api: converse(credentials) },
      { path: GENERATE_PATH, api: generateContent },
    ];
    this.#sideRoutes = [
      ...openaiBatches(),
      ...openaiModels,
      openaiEmbeddings,
      ...anthropicSideRoutes(),
      openaiInputTokens,
      bedrockEmbeddings(credentials),
      bedrockCountTokens(credentials),
      ...invocationJobs(credentials, buckets, options.fewestBatchRecords ?? 100),
      ...s3Objects(credentials, buckets),
    ];
  }

  /** The reply to a request; a refusal is a reply too. */
  async answer(arrival: Arrival): Promise<Reply> {
    const main = this.#apis.find(({ path }) => path.test(arrival.path) && arrival.method === 'POST');
    const problem = main?.api.problem ?? this.#sideProblem(arrival);
    try {
      return main === undefined ? await this.#beside(arrival) : this.#converse(main.api, arrival);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refusals.push(error.message);
      return problem(error.facts);
    }
  }

  readonly #id = (prefix: string): string => `${prefix}${String((this.#ids += 1)).padStart(8, '0')}`;

  readonly #complete: SideContext['complete'] = async (path, body, headers) =>
    this.answer({ method: 'POST', path, query: '', headers, body: Buffer.from(JSON.stringify(body ?? null)) });

  #sideProblem({ path }: Arrival): ProviderApi['problem'] {
    if (/^\/model(?:-invocation-job)?(?:\/|$)/u.test(path)) return converse(DOUBLE_CREDENTIALS).problem;
    if (path.startsWith('/v1beta/')) return generateContent.problem;
    if (S3_PATH.test(path)) return s3Problem;
    return (path.startsWith('/v1/messages') ? messages : chat).problem;
  }

  #converse(api: ProviderApi, arrival: Arrival): Reply {
    const request = api.read(arrival, this.#reading);
    this.requests.push(request);
    return answerTurn(api, request, this.script.take(request), this.#id);
  }

  async #beside(arrival: Arrival): Promise<Reply> {
    for (const { method, path, answer } of this.#sideRoutes) {
      const found = method === arrival.method ? path.exec(arrival.path) : null;
      if (found === null) continue;
      const context = { reading: this.#reading, id: this.#id, complete: this.#complete };
      return answer(arrival, context, ...found.slice(1));
    }
    throw new Refusal({ status: 404, message: `Invalid URL (${arrival.method} ${arrival.path})`, code: 'unknown_url' });
  }
}
