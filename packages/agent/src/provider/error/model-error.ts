import { type ErrorCode, PlugboardError } from '@plugboard/contract';

export type ModelFailure =
  | 'rate-limit'
  | 'context-window'
  | 'authentication'
  | 'permission'
  | 'not-found'
  | 'credits'
  | 'overloaded'
  | 'bad-request'
  | 'timeout'
  | 'connection'
  | 'empty-response'
  | 'unsupported'
  | 'server';

interface Meaning {
  readonly code: ErrorCode;
  readonly sentence: string;
  readonly hint: string;
  /** May the same request succeed a moment later? */
  readonly retryable: boolean;
}

const MEANINGS: Readonly<Record<ModelFailure, Meaning>> = {
  'rate-limit': {
    code: 'MODEL_RATE_LIMITED',
    sentence: 'limits the rate of requests',
    hint: 'Wait for the time in the response, or send fewer requests.',
    retryable: true,
  },
  'context-window': {
    code: 'MODEL_CONTEXT_EXCEEDED',
    sentence: 'cannot read a conversation of this length',
    hint: 'Shorten the conversation or the tool results, or use a model with a larger context window.',
    retryable: false,
  },
  authentication: {
    code: 'MODEL_AUTH',
    sentence: 'rejects the key',
    hint: 'Check the key and the address: keys of one provider do not work with another.',
    retryable: false,
  },
  permission: {
    code: 'MODEL_AUTH',
    sentence: 'does not allow this with the key',
    hint: 'Use a key that may use the model, or request access to the model.',
    retryable: false,
  },
  'not-found': {
    code: 'MODEL_NOT_FOUND',
    sentence: 'does not have this model or address',
    hint: 'Check the name of the model and the base URL.',
    retryable: false,
  },
  credits: {
    code: 'MODEL_CREDITS',
    sentence: 'reports that the credits are used up',
    hint: 'Add credits or raise the limit in the account of the provider.',
    retryable: false,
  },
  overloaded: {
    code: 'MODEL_UNAVAILABLE',
    sentence: 'is overloaded',
    hint: 'Try again later, or configure a fallback model.',
    retryable: true,
  },
  'bad-request': {
    code: 'MODEL_BAD_REQUEST',
    sentence: 'rejects the request',
    hint: 'The message names the part that it does not accept.',
    retryable: false,
  },
  timeout: {
    code: 'MODEL_TIMEOUT',
    sentence: 'did not answer in time',
    hint: 'Raise the time limit, or ask for fewer tokens.',
    retryable: true,
  },
  connection: {
    code: 'MODEL_UNREACHABLE',
    sentence: 'cannot be reached, or the connection broke',
    hint: 'Check the base URL and the network.',
    retryable: true,
  },
  'empty-response': {
    code: 'MODEL_FAILED',
    sentence: 'returned an empty answer',
    hint: 'Ask again, or raise the token limit.',
    retryable: false,
  },
  unsupported: {
    code: 'MODEL_BAD_REQUEST',
    sentence: 'cannot be used for this',
    hint: 'Use another provider, or the SDK of this one.',
    retryable: false,
  },
  server: {
    code: 'MODEL_FAILED',
    sentence: 'failed',
    hint: 'Try again later; the provider may have an incident.',
    retryable: true,
  },
};

export interface ModelErrorFacts {
  readonly provider: string;
  /** What the provider said. Keys are removed before. */
  readonly said?: string | undefined;
  readonly status?: number | undefined;
  readonly param?: string | undefined;
  readonly hint?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

const MOST_CHARACTERS = 2000;

/** A provider of models failed. `failure` is the same word for all of them. */
export class ModelError extends PlugboardError {
  override readonly name = 'ModelError';
  readonly failure: ModelFailure;
  readonly provider: string;
  readonly status: number | undefined;
  readonly param: string | undefined;
  readonly retryable: boolean;

  constructor(failure: ModelFailure, facts: ModelErrorFacts) {
    const meaning = MEANINGS[failure];
    const said = facts.said === undefined || facts.said === '' ? '' : `: ${facts.said.slice(0, MOST_CHARACTERS)}`;
    super(meaning.code, `The provider ${facts.provider} ${meaning.sentence}${said || '.'}`, {
      hint: facts.hint ?? meaning.hint,
      details: { failure, provider: facts.provider, ...(facts.status === undefined ? {} : { status: facts.status }) },
      retryAfterMs: facts.retryAfterMs,
      cause: facts.cause,
    });
    this.failure = failure;
    this.provider = facts.provider;
    this.status = facts.status;
    this.param = facts.param;
    this.retryable = facts.retryable ?? meaning.retryable;
  }
}
