import { isObject, type JsonObject } from '../connection/json.js';
import type { OnServerRequest } from './session.js';

const REFUSED = { code: -32601, message: 'Method not found' };

/** Our answer to a request of the server; undefined when it is to get none. */
export const serverAnswer = (message: JsonObject, onRequest: OnServerRequest | undefined): JsonObject | undefined => {
  const method = String(message['method']);
  const params = isObject(message['params']) ? message['params'] : {};
  if (method === 'ping') return { jsonrpc: '2.0', id: message['id'], result: {} };
  if (onRequest === undefined) return { jsonrpc: '2.0', id: message['id'], error: REFUSED };
  const answer = onRequest({ method, params, message });
  if (answer === undefined) return undefined;
  return isObject(answer['error'])
    ? { jsonrpc: '2.0', id: message['id'], error: answer['error'] }
    : { jsonrpc: '2.0', id: message['id'], result: answer };
};
