import type { Caller } from '../call/caller.js';
import type { ServerQuestions } from '../call/mcp-call.js';
import type { SentCall } from '../call/sent-call.js';
import { type PlugboardError, toErrorEnvelope } from '@plugboard/contract';

/** An HTTP request as plain data, so that the same endpoints serve a socket and a call in process. */
export interface HttpRequest {
  readonly method: string;
  /** Decoded segments of the path: `/servers/a%20b/mcp` is `['servers', 'a b', 'mcp']`. */
  readonly segments: readonly string[];
  /** The whole body as text; empty when there is none. */
  readonly body: string;
  /** As the caller sent it. */
  readonly idempotencyKey?: string | readonly string[] | undefined;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  /** Everybody on this machine when left out. */
  readonly caller?: Caller | undefined;
  /** Present when the call in it was sent to its server already. */
  readonly sent?: SentCall | undefined;
  /** Who answers what the server asks meanwhile; nobody when left out. */
  readonly questions?: ServerQuestions | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

export const jsonAnswer = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify(value),
});

export const emptyAnswer = (status: number): HttpAnswer => ({ status, headers: {}, body: '' });

export const errorAnswer = (error: PlugboardError, headers: Readonly<Record<string, string>> = {}): HttpAnswer =>
  jsonAnswer(error.httpStatus, toErrorEnvelope(error), {
    ...(error.retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(error.retryAfterMs / 1000)) }),
    ...headers,
  });
