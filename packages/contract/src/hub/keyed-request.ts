import { PlugboardError } from '../error/plugboard-error.js';
import type { ErrorCode } from '../error/error-code.js';

/** A request that its sender gave a key, so that it is carried out once, however often it is sent. */
export interface KeyedRequest {
  /** Whose key it is: callers with the same key do not meet. */
  readonly caller: string;
  readonly key: string;
  /** What is asked for: the same text for the same request. */
  readonly content: string;
}

/** A failure that is told again to those who repeat the request. */
export interface KeptFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** As a server answered it over JSON-RPC. */
  readonly rpc?: unknown;
}

/** A longer answer is given once and not kept. */
export const MAX_KEPT_CHARS = 256 * 1024;

export interface KeyedWork<Value> {
  readonly perform: () => Promise<Value>;
  /** What is kept of it; undefined where it cannot be kept. */
  readonly write: (value: Value) => string | undefined | Promise<string | undefined>;
  readonly read: (text: string) => Value;
  /** What is kept of a failure, if the request was answered with it. */
  readonly writeFailure?: ((thrown: unknown) => KeptFailure) | undefined;
  readonly readFailure?: ((failure: KeptFailure) => Error) | undefined;
}

/** Carries requests with a key out once, on all processes of a store together. */
export interface KeyedRequests {
  /** Performs the request, or returns what came of it. `isRepeated`: it was performed before. */
  run<Value>(
    request: KeyedRequest,
    work: KeyedWork<Value>,
  ): Promise<{ readonly value: Value; readonly isRepeated: boolean }>;
}

/** The HTTP field with the key, in lower case. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

const KEY = /^[\u0021-\u007e]{1,255}$/u;

/** The key in the field of a request; undefined when there is none. */
export const idempotencyKeyIn = (field: string | readonly string[] | undefined): string | undefined => {
  if (field === undefined) return undefined;
  if (typeof field === 'string' && KEY.test(field)) return field;
  throw new PlugboardError('INVALID_ARGUMENT', 'The Idempotency-Key is not one word of 1 to 255 ASCII characters.', {
    hint: 'Send a new UUID for each thing to be done, and the same one when you repeat the request.',
  });
};
