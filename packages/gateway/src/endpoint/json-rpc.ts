import { McpClientError } from '@plugboard/client';
import { ERROR_CODES, type PlugboardError } from '@plugboard/contract';
import { buildFailure, classifyMessage, isJsonObject, type JsonObject, type RequestId } from '@plugboard/wire';

export interface IncomingRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

/** What one POSTed message asks of us. */
export type Incoming =
  | IncomingRequest
  | { readonly kind: 'nothing' }
  | { readonly kind: 'invalid'; readonly reason: string };

const invalid = (reason: string): Incoming => ({ kind: 'invalid', reason });

/** Reads a parsed body as one JSON-RPC message. */
export const readMessage = (value: unknown): Incoming => {
  if (Array.isArray(value)) return invalid('Batches are not accepted here; send one message per request.');
  const classified = classifyMessage(value);
  switch (classified.kind) {
    case 'request': {
      const { id, method, params = {} } = classified.message;
      if (typeof id === 'number' && !Number.isInteger(id)) return invalid('"id" must be a string or a whole number.');
      return isJsonObject(params) ? { kind: 'request', id, method, params } : invalid('"params" must be an object.');
    }
    case 'notification':
    case 'result':
    case 'failure':
      return { kind: 'nothing' };
    case 'invalid':
      return invalid(`This is no JSON-RPC message: ${classified.reason}.`);
  }
};

/** A coded error as JSON-RPC: what the server itself answered as it came; else our number, code and hint. */
export const failureMessage = (id: RequestId | null, error: PlugboardError) =>
  buildFailure(
    id,
    error instanceof McpClientError && error.rpc !== undefined
      ? error.rpc
      : { code: ERROR_CODES[error.code].jsonRpc, message: error.message, data: error.toJSON() },
  );
