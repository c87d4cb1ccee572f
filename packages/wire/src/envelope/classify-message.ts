import { isJsonObject, type JsonObject } from '@plugboard/base';
import type {
  JsonRpcErrorBody,
  JsonRpcFailure,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from './json-rpc.js';

/** A message told apart by its shape. The message itself is the very value that came in, unknown members included. */
export type Classified =
  | { readonly kind: 'request'; readonly message: JsonRpcRequest }
  | { readonly kind: 'notification'; readonly message: JsonRpcNotification }
  | { readonly kind: 'result'; readonly message: JsonRpcResult }
  | { readonly kind: 'failure'; readonly message: JsonRpcFailure }
  | { readonly kind: 'invalid'; readonly reason: string };

const isRequestId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isFinite(value);

const isErrorBody = (value: unknown): value is JsonRpcErrorBody =>
  isJsonObject(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string';

const invalid = (reason: string): Classified => ({ kind: 'invalid', reason });

const classifyCall = (value: JsonObject): Classified => {
  if (typeof value['method'] !== 'string') return invalid('"method" is not a string');
  if (!Object.hasOwn(value, 'id')) return { kind: 'notification', message: value as unknown as JsonRpcNotification };
  return isRequestId(value['id'])
    ? { kind: 'request', message: value as unknown as JsonRpcRequest }
    : invalid('"id" of a request is neither a string nor a number');
};

const classifyAnswer = (value: JsonObject): Classified => {
  const hasResult = Object.hasOwn(value, 'result');
  const hasError = Object.hasOwn(value, 'error');
  if (hasResult && hasError) return invalid('both "result" and "error" are present');
  if (hasResult) {
    return isRequestId(value['id'])
      ? { kind: 'result', message: value as unknown as JsonRpcResult }
      : invalid('"id" of a response is neither a string nor a number');
  }
  if (!hasError) return invalid('there is no "method", "result" or "error"');
  if (!isErrorBody(value['error'])) return invalid('"error" has no numeric code or no message');
  return value['id'] === undefined || value['id'] === null || isRequestId(value['id'])
    ? { kind: 'failure', message: value as unknown as JsonRpcFailure }
    : invalid('"id" of a response is neither a string nor a number');
};

/** Tells what a parsed JSON value is in JSON-RPC 2.0. */
export const classifyMessage = (value: unknown): Classified => {
  if (!isJsonObject(value)) return invalid('the message is not an object');
  if (value['jsonrpc'] !== '2.0') return invalid('"jsonrpc" is not "2.0"');
  return Object.hasOwn(value, 'method') ? classifyCall(value) : classifyAnswer(value);
};
