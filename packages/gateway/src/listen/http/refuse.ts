import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PlugboardError, toErrorEnvelope } from '@plugboard/contract';
import { buildFailure, type RequestId } from '@plugboard/wire';
import { failureOf } from '../../rpc/failure-of.js';
import { RpcRefusal } from '../../rpc/rpc-refusal.js';

type Fields = Readonly<Record<string, string>>;

const write = (request: IncomingMessage, response: ServerResponse, answer: Refusal): void => {
  if (response.destroyed || response.headersSent) return;
  // What is left of a refused body must not be read as the next request.
  const close = request.complete ? {} : { connection: 'close' };
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    ...answer.headers,
    'content-length': Buffer.byteLength(answer.body),
    ...close,
  });
  response.end(request.method === 'HEAD' ? '' : answer.body);
};

interface Refusal {
  readonly status: number;
  readonly body: string;
  readonly headers?: Fields | undefined;
}

const retryAfter = ({ retryAfterMs }: PlugboardError): Fields =>
  retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };

/** A refusal as plain REST gives it: for what is wrong with the path, the method or the caller. */
export const refusePlainly = (
  request: IncomingMessage,
  response: ServerResponse,
  error: PlugboardError,
  headers: Fields = {},
): void =>
  write(request, response, {
    status: error.httpStatus,
    body: JSON.stringify(toErrorEnvelope(error)),
    headers: { ...retryAfter(error), ...headers },
  });

/** A refusal as JSON-RPC, for what is wrong with the message. */
export const refuseMessage = (
  request: IncomingMessage,
  response: ServerResponse,
  error: PlugboardError,
  id: string | number | null = null,
): void =>
  write(request, response, {
    status: error instanceof RpcRefusal ? (error.status ?? 200) : error.httpStatus,
    body: JSON.stringify(buildFailure(id, failureOf(error))),
    headers: retryAfter(error),
  });

/** A refusal of a body whose requests are known: each gets it under its own id. */
export const refuseRequests = (
  request: IncomingMessage,
  response: ServerResponse,
  error: PlugboardError,
  { ids, isBatch, status }: { readonly ids: readonly RequestId[]; readonly isBatch: boolean; readonly status: number },
): void => {
  const failures = ids.map((id) => buildFailure(id, failureOf(error)));
  write(request, response, {
    status,
    body: JSON.stringify(isBatch ? failures : failures[0]),
    headers: retryAfter(error),
  });
};
