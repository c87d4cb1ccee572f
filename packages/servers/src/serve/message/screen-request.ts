import { isInitializeRequest } from '@modelcontextprotocol/server';
import { isJsonObject } from '@plugboard/base';
import { idOf, rpcFailure, type RpcFailure } from './rpc-answer.js';

const LISTS = new Set(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']);

const INVALID_PARAMS = -32_602;

/** What the SDK would let pass or answer with an internal error: refused here, for every transport alike. */
export const screenRequest = (message: unknown): RpcFailure | undefined => {
  if (!isJsonObject(message) || message['id'] === undefined) return undefined;
  const { method, params } = message;
  if (method === 'initialize' && !isInitializeRequest(message)) {
    return rpcFailure(idOf(message), INVALID_PARAMS, 'initialize needs protocolVersion, capabilities and clientInfo.');
  }
  // Lists are whole here: no cursor was ever given out.
  if (typeof method === 'string' && LISTS.has(method) && isJsonObject(params) && params['cursor'] !== undefined) {
    return rpcFailure(idOf(message), INVALID_PARAMS, 'The cursor is unknown.');
  }
  return undefined;
};
