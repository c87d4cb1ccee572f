import { isObject, type JsonRpcMessage } from './message.js';
import { INVALID_REQUEST, PARSE_ERROR, RpcError } from './rpc-error.js';

const isId = (value: unknown): boolean => typeof value === 'string' || Number.isInteger(value);

/** Why this value is not a JSON-RPC 2.0 message; undefined when it is. */
export const jsonRpcFlaw = (value: unknown): string | undefined => {
  if (!isObject(value)) return 'a message must be an object';
  if (value['jsonrpc'] !== '2.0') return 'jsonrpc must be "2.0"';
  if ('method' in value) {
    if (typeof value['method'] !== 'string') return 'method must be a string';
    if ('id' in value && !isId(value['id'])) return 'id must be a string or an integer';
    if ('params' in value && !isObject(value['params'])) return 'params must be an object';
    return 'result' in value || 'error' in value ? 'a request has neither result nor error' : undefined;
  }
  return responseFlaw(value);
};

const responseFlaw = (value: Readonly<Record<string, unknown>>): string | undefined => {
  if ('result' in value === 'error' in value) return 'a response has either result or error';
  if ('result' in value) {
    if (!isId(value['id'])) return 'a result must carry the id of its request';
    return isObject(value['result']) ? undefined : 'result must be an object';
  }
  const error = value['error'];
  if (!isObject(error)) return 'error must be an object';
  if (!Number.isInteger(error['code'])) return 'error.code must be an integer';
  return typeof error['message'] === 'string' ? undefined : 'error.message must be a string';
};

export const asMessage = (value: unknown): JsonRpcMessage => {
  const flaw = jsonRpcFlaw(value);
  if (flaw !== undefined) throw new RpcError(INVALID_REQUEST, `Invalid request: ${flaw}`, { httpStatus: 400 });
  return value as JsonRpcMessage;
};

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RpcError(PARSE_ERROR, 'Parse error: the body is not JSON', { httpStatus: 400 });
  }
};
