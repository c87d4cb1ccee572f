import type { IncomingMessage, ServerResponse } from 'node:http';
import { PlugboardError, toErrorEnvelope } from '@plugboard/contract';

const RETRY_SECONDS = 1;
/** Who watches the hub is told that it stops; who is in a conversation must be able to end it. */
const STILL_SERVED = /^\/(?:health|ready|metrics)$|\/messages$/u;

/** May a request that comes after the hub was told to stop be served? */
const mayFinish = ({ url, headers }: IncomingMessage): boolean =>
  headers['mcp-session-id'] !== undefined || STILL_SERVED.test((url ?? '/').replace(/\?.*$/u, ''));

/** Refuses new work while the hub stops: true when the request was answered. No connection is used again. */
export const refuseLate = (request: IncomingMessage, response: ServerResponse): boolean => {
  response.setHeader('connection', 'close');
  if (mayFinish(request)) return false;
  const error = new PlugboardError('HUB_STOPPING', 'The hub is shutting down and accepts no new requests.', {
    hint: 'Send the request again: to another hub now, or to this one after it has restarted.',
    retryAfterMs: RETRY_SECONDS * 1000,
  });
  const body = JSON.stringify(toErrorEnvelope(error));
  response.writeHead(error.httpStatus, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': String(RETRY_SECONDS),
    'content-length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? '' : body);
  return true;
};
