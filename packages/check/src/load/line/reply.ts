import type { JsonObject } from '../../connection/json.js';

/**
 * What a client without capabilities replies to a request of the server, as text; undefined when the message is no request. A
 * server may end the session of a client that leaves its pings unanswered.
 */
export const replyTo = ({ id, method }: JsonObject): string | undefined => {
  if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  const outcome =
    method === 'ping' ? { result: {} } : { error: { code: -32_601, message: `This client does not offer ${method}.` } };
  return JSON.stringify({ jsonrpc: '2.0', id, ...outcome });
};
