import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PlugboardError, toErrorEnvelope, toPlugboardError } from '@plugboard/contract';
import type { Gateway } from '@plugboard/gateway';
import { assertLocalCaller } from './host-check.js';
import { pathSegments } from './path-segments.js';
import { readBody } from './request-body.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface NodeHandlerOptions {
  readonly gateway: Gateway;
  /** Takes every path that is not the gateway's. */
  readonly admin: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
  /** Answer only callers on this machine. */
  readonly localOnly: boolean;
  readonly onInternalError: (error: unknown) => void;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const send = (request: IncomingMessage, response: ServerResponse, reply: Reply): void => {
  if (response.destroyed || response.headersSent) return;
  // What is left of a refused body must not be read as the next request.
  const close = request.complete ? {} : { connection: 'close' };
  const length = { 'content-length': String(Buffer.byteLength(reply.body)) };
  response.writeHead(reply.status, { ...reply.headers, ...length, ...close });
  response.end(request.method === 'HEAD' ? '' : reply.body);
};

const refusal = (error: PlugboardError): Reply => ({
  status: error.httpStatus,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(toErrorEnvelope(error)),
});

const serveGateway = async (
  gateway: Gateway,
  segments: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const abandoned = new AbortController();
  const abandon = (): void => abandoned.abort();
  response.once('close', abandon);
  try {
    const body = await readBody(request);
    const method = request.method ?? 'GET';
    send(request, response, await gateway.answer({ method, segments, body, signal: abandoned.signal }));
  } finally {
    response.off('close', abandon);
  }
};

/** One entry for every path: who may call, then the gateway's paths, then the admin API. */
export const nodeHandler =
  ({ gateway, admin, localOnly, onInternalError }: NodeHandlerOptions): Handler =>
  (request, response) => {
    const fail = (thrown: unknown): void => {
      const error = toPlugboardError(thrown);
      // A caller that hung up in the middle of its body is no fault of ours.
      if (error.code === 'INTERNAL' && !request.destroyed) onInternalError(thrown);
      send(request, response, refusal(error));
    };
    try {
      if (localOnly) assertLocalCaller(request.headers);
      const segments = pathSegments(request.url ?? '/');
      const endpoint = gateway.mcp.find(segments);
      if (endpoint !== undefined) gateway.mcp.handle(endpoint, request, response).catch(fail);
      else if (gateway.serves(segments)) serveGateway(gateway, segments, request, response).catch(fail);
      else admin(request, response).catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
