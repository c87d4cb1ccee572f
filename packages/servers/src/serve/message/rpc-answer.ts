import { isJsonObject } from '@plugboard/base';

export type RpcId = string | number | null;

/** A JSON-RPC error as it goes out. */
export interface RpcFailure {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export const rpcFailure = (id: RpcId, code: number, message: string, data?: unknown): RpcFailure => ({
  jsonrpc: '2.0',
  id,
  error: data === undefined ? { code, message } : { code, message, data },
});

/** The id of a request that was understood so far, else null as JSON-RPC wants it. */
export const idOf = (value: unknown): RpcId => {
  const id = isJsonObject(value) ? value['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};
