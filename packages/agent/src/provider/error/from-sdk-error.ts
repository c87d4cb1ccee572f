import { isJsonObject } from '@plugboard/base';
import { classifyFailure } from './classify-failure.js';
import { hideKey } from './hide-key.js';
import { ModelError } from './model-error.js';
import { retryAfterMs } from './retry-after.js';

type ErrorClass = abstract new (...args: never[]) => Error;

/** Not a type guard: an error that is none of one class may be one of the next. */
const isOf = (thrown: Error, family: ErrorClass): boolean => thrown instanceof family;

/** The classes of errors that the SDKs of OpenAI and Anthropic have in common. */
export interface SdkErrors {
  readonly APIError: ErrorClass;
  readonly APIConnectionError: ErrorClass;
  readonly APIConnectionTimeoutError: ErrorClass;
}

interface ApiFailure extends Error {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly error?: unknown;
  readonly code?: unknown;
  readonly param?: unknown;
  readonly type?: unknown;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const HTML = /^\s*(?:\d{3} \s*)?<(?:!doctype|html)/iu;
const WRONG_ADDRESS = 'The address returns a web page: check the base URL.';

/** Both envelopes: `{error: {message}}` of Anthropic is one level deeper. */
const innermost = (body: unknown): Readonly<Record<string, unknown>> => {
  if (!isJsonObject(body)) return {};
  return isJsonObject(body['error']) ? body['error'] : body;
};

/** "fetch failed" helps nobody; what it wraps names the address. */
const rootCause = (error: Error): Error =>
  error.cause instanceof Error && error.cause.message !== '' ? rootCause(error.cause) : error;

export interface SdkErrorContext {
  readonly provider: string;
  readonly keys: readonly (string | undefined)[];
  readonly errors: SdkErrors;
}

/** What an SDK of OpenAI or Anthropic threw, as one of our errors. */
export const fromSdkError = (thrown: unknown, { provider, keys, errors }: SdkErrorContext): unknown => {
  if (thrown instanceof ModelError || !(thrown instanceof Error)) return thrown;
  const hidden = (text: string): string => hideKey(text, keys);
  if (isOf(thrown, errors.APIConnectionTimeoutError)) {
    return new ModelError('timeout', { provider, cause: thrown });
  }
  if (isOf(thrown, errors.APIConnectionError)) {
    const said = hidden(rootCause(thrown).message);
    return new ModelError('connection', { provider, said, cause: thrown });
  }
  if (isOf(thrown, errors.APIError)) {
    const failed: ApiFailure = thrown;
    const body = innermost(failed.error);
    const said = hidden(textOf(body['message']) || failed.message);
    const isHtml = HTML.test(failed.message);
    const parts = [said, failed.message, failed.code, failed.type, body['code'], body['type']];
    return new ModelError(classifyFailure({ status: failed.status, text: parts.map(textOf).join(' ') }), {
      provider,
      said: isHtml ? `status ${failed.status ?? 'unknown'}` : said,
      status: failed.status,
      param: textOf(failed.param ?? body['param']) || undefined,
      hint: isHtml ? WRONG_ADDRESS : undefined,
      retryAfterMs: retryAfterMs(failed.headers),
      cause: thrown,
    });
  }
  return brokenAnswer(thrown, provider, hidden);
};

/** The SDK could not read what came. */
const brokenAnswer = (thrown: Error, provider: string, hidden: (text: string) => string): unknown => {
  if (thrown instanceof SyntaxError) {
    return new ModelError('server', { provider, said: 'the answer is not valid JSON.', cause: thrown });
  }
  if (/terminated|aborted|socket|ECONN|closed|network/iu.test(thrown.message)) {
    return new ModelError('connection', { provider, said: hidden(thrown.message), cause: thrown });
  }
  return thrown;
};
