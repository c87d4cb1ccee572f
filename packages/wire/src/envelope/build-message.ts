import type {
  JsonRpcErrorBody,
  JsonRpcFailure,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from './json-rpc.js';

export const buildRequest = (id: RequestId, method: string, params?: unknown): JsonRpcRequest =>
  params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };

export const buildNotification = (method: string, params?: unknown): JsonRpcNotification =>
  params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };

export const buildResult = (id: RequestId, result: unknown): JsonRpcResult => ({ jsonrpc: '2.0', id, result });

export const buildFailure = (id: RequestId | null, error: JsonRpcErrorBody): JsonRpcFailure => ({
  jsonrpc: '2.0',
  id,
  error,
});
