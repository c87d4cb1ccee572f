export type JsonObject = Readonly<Record<string, unknown>>;
export type JsonRpcId = string | number;

export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params?: JsonObject;
}

export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: JsonObject;
}

export interface JsonRpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface JsonRpcResponse {
  readonly jsonrpc: '2.0';
  readonly id: JsonRpcId | null;
  readonly result?: JsonObject;
  readonly error?: JsonRpcFailure;
}

export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isRequest = (message: JsonRpcMessage): message is JsonRpcRequest => 'method' in message && 'id' in message;

export const isNotification = (message: JsonRpcMessage): message is JsonRpcNotification =>
  'method' in message && !('id' in message);

export const isResponse = (message: JsonRpcMessage): message is JsonRpcResponse => !('method' in message);

export const notification = (method: string, params: JsonObject = {}): JsonRpcNotification => ({
  jsonrpc: '2.0',
  method,
  params,
});

export const succeeded = (id: JsonRpcId, result: JsonObject): JsonRpcResponse => ({ jsonrpc: '2.0', id, result });

export const failed = (id: JsonRpcId | null, error: JsonRpcFailure): JsonRpcResponse => ({ jsonrpc: '2.0', id, error });
