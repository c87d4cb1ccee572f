import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { isJsonObject } from '@plugboard/base';
import { idOf, rpcFailure, type RpcFailure } from '../message/rpc-answer.js';
import { screenRequest } from '../message/screen-request.js';

const MODERN = ['2026-07-28'];
const INVALID_REQUEST = -32_600;
const UNSUPPORTED_VERSION = -32_022;

const isMessage = (value: Readonly<Record<string, unknown>>): boolean => {
  if (value['jsonrpc'] !== '2.0') return false;
  const { id, method, params } = value;
  const goodId = id === undefined || typeof id === 'string' || Number.isInteger(id);
  if (typeof method === 'string') return goodId && (params === undefined || isJsonObject(params));
  return method === undefined && id !== undefined && ('result' in value || 'error' in value);
};

const claimedVersion = ({ params }: Readonly<Record<string, unknown>>): unknown => {
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  return isJsonObject(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined;
};

/** Why a line that is JSON is no message to act on; nothing when it is one. */
export const screenLine = (value: unknown): RpcFailure | undefined => {
  if (!isJsonObject(value) || !isMessage(value)) {
    return rpcFailure(idOf(value), INVALID_REQUEST, 'Invalid request: this is not a JSON-RPC message.');
  }
  const requested = claimedVersion(value);
  if (value['id'] !== undefined && typeof requested === 'string' && !MODERN.includes(requested)) {
    return rpcFailure(idOf(value), UNSUPPORTED_VERSION, 'Unsupported protocol version', {
      supported: MODERN,
      requested,
    });
  }
  return screenRequest(value);
};
