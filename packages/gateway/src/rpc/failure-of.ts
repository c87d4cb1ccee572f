import { McpClientError } from '@plugboard/client';
import { ERROR_CODES, toPlugboardError } from '@plugboard/contract';
import { buildFailure, isJsonObject, type JsonRpcErrorBody, type RequestId, RPC_CODE } from '@plugboard/wire';
import { RpcRefusal } from './rpc-refusal.js';

/** What the server itself answered as it came; else our number, code and hint. */
export const failureOf = (thrown: unknown): JsonRpcErrorBody => {
  if (thrown instanceof RpcRefusal) return thrown.rpc;
  if (thrown instanceof McpClientError && thrown.rpc !== undefined) return thrown.rpc;
  const error = toPlugboardError(thrown);
  return { code: ERROR_CODES[error.code].jsonRpc, message: error.message, data: error.toJSON() };
};

/** Names the call in an error of ours, so that its lines in the log can be found. */
export const withCallId = (failure: JsonRpcErrorBody, callId: string | undefined): JsonRpcErrorBody =>
  callId === undefined || !isJsonObject(failure.data) || typeof failure.data['code'] !== 'string'
    ? failure
    : { ...failure, data: { ...failure.data, call_id: callId } };

/** A failed response as text. */
export const writeFailure = (id: RequestId | null, thrown: unknown): string =>
  JSON.stringify(buildFailure(id, failureOf(thrown)));

/** The status that the 2026-07-28 transport gives a failure; others travel under 200. */
export const modernStatusOf = (thrown: unknown, failure: JsonRpcErrorBody): number => {
  if (thrown instanceof RpcRefusal && thrown.status !== undefined) return thrown.status;
  switch (failure.code) {
    case RPC_CODE.methodNotFound:
      return 404;
    case RPC_CODE.headerMismatch:
    case RPC_CODE.missingClientCapability:
    case RPC_CODE.unsupportedProtocolVersion:
      return 400;
    default:
      return 200;
  }
};
