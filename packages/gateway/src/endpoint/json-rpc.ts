import { ERROR_CODES, type PlugboardError } from '@plugboard/contract';

export type JsonRpcId = string | number;

export interface JsonRpcRequest {
  readonly kind: 'request';
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What one POSTed message is. */
export type Incoming =
  | JsonRpcRequest
  | { readonly kind: 'notification'; readonly method: string }
  | { readonly kind: 'response' }
  | { readonly kind: 'invalid'; readonly id: JsonRpcId | null; readonly reason: string };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is JsonRpcId =>
  typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));

const invalid = (reason: string, id: unknown = null): Incoming => ({
  kind: 'invalid',
  id: isId(id) ? id : null,
  reason,
});

/** Reads a parsed body as one JSON-RPC message. */
export const readMessage = (value: unknown): Incoming => {
  if (Array.isArray(value)) return invalid('Batches are not accepted here; send one message per request.');
  if (!isRecord(value)) return invalid('A JSON-RPC message is an object.');
  const { jsonrpc, id, method, params = {} } = value;
  if (jsonrpc !== '2.0') return invalid('"jsonrpc" must be "2.0".', id);
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' };
  if (typeof method !== 'string' || method === '') return invalid('"method" must be a string.', id);
  if (!isRecord(params)) return invalid('"params" must be an object.', id);
  if (!('id' in value)) return { kind: 'notification', method };
  return isId(id) ? { kind: 'request', id, method, params } : invalid('"id" must be a string or a whole number.');
};

export const resultMessage = (id: JsonRpcId, result: unknown) => ({ jsonrpc: '2.0', id, result }) as const;

/** A coded error as JSON-RPC: the number for protocol code, our code and hint in `data`. */
export const errorMessage = (id: JsonRpcId | null, error: PlugboardError) =>
  ({
    jsonrpc: '2.0',
    id,
    error: { code: ERROR_CODES[error.code].jsonRpc, message: error.message, data: error.toJSON() },
  }) as const;
