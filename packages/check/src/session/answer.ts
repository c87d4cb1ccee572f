import type { HttpHead } from '../connection/http-exchange.js';
import { at, isObject, show, type JsonObject, type MessageId } from '../connection/json.js';
import type { Exchange } from './exchange.js';

export interface RpcFailure {
  readonly code: unknown;
  readonly message: unknown;
  readonly data: unknown;
}

/** The outcome of a request. */
export interface Answer {
  readonly id: MessageId;
  /** The message that was sent. */
  readonly request: JsonObject;
  /** The answer as it came; undefined when HTTP answered with something else. */
  readonly response: JsonObject | undefined;
  readonly result: JsonObject | undefined;
  readonly error: RpcFailure | undefined;
  /** What came before it that belongs to this request, or that came at the same time on a shared channel. */
  readonly before: readonly JsonObject[];
  readonly http: HttpHead | undefined;
  readonly elapsedMs: number;
  readonly exchange: Exchange;
}

/** What came of a message that is no proper request. */
export interface Reply {
  readonly messages: readonly JsonObject[];
  readonly http: (HttpHead & { readonly body: string }) | undefined;
  readonly exchange: Exchange;
}

export const resultOf = (response: JsonObject | undefined): JsonObject | undefined => {
  const result = at(response, 'result');
  return isObject(result) ? result : undefined;
};

export const errorOf = (response: JsonObject | undefined): RpcFailure | undefined => {
  const error = at(response, 'error');
  return isObject(error) ? { code: error['code'], message: error['message'], data: error['data'] } : undefined;
};

/** An error for a sentence: servers put whole reports into the message, over many lines. */
export const errorWords = ({ code, message }: Pick<RpcFailure, 'code' | 'message'>): string => {
  const text = typeof message === 'string' ? message.replaceAll(/\s+/gu, ' ') : message;
  return `error ${show(code)} "${show(text)}"`;
};

/** A short account of an answer, for sentences. */
export const describe = ({ result, error, http }: Pick<Answer, 'result' | 'error' | 'http'>): string => {
  // 202 is how HTTP+SSE takes any request.
  const status = http === undefined || http.status === 200 || http.status === 202 ? '' : `HTTP ${http.status}, `;
  if (error !== undefined) return `${status}${errorWords(error)}`;
  if (result !== undefined) return `${status}a result`;
  return `${status}no JSON-RPC answer`;
};
