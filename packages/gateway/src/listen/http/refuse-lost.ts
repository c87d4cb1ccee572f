import type { PlugboardError } from '@plugboard/contract';
import { encodeSse, type RequestId } from '@plugboard/wire';
import type { HttpExchange } from '../../call/fleet-side.js';
import { writeFailure } from '../../rpc/failure-of.js';
import { readMessages } from '../../session/read-messages.js';
import { transportAt } from './endpoint-path.js';
import { refuseMessage, refusePlainly, refuseRequests } from './refuse.js';

/** The requests of a body, by their ids. */
export interface RequestIds {
  readonly ids: readonly RequestId[];
  readonly isBatch: boolean;
}

/** Undefined where the body holds none, or cannot be read. */
export const requestIdsIn = (body: Buffer): RequestIds | undefined => {
  try {
    const { messages, isBatch } = readMessages(body.toString('utf8'));
    const ids = messages.flatMap((each) => (each.kind === 'request' ? [each.message.id] : []));
    return ids.length === 0 ? undefined : { ids, isBatch };
  } catch {
    return undefined;
  }
};

/** What is known of a request that another process did not answer. */
export interface LostRequest {
  /** Undefined where its body holds none. */
  readonly requests: RequestIds | undefined;
  /** Did the other process begin an event stream, and end all events that it began there? */
  readonly isBetweenEvents: boolean;
}

/** A stream of the modern era that belongs to one call. All others are opened again, or resumed, by their clients. */
const isStreamOfCall = ({ headers }: HttpExchange['request']): boolean =>
  headers['mcp-method'] !== undefined && headers['mcp-method'] !== 'subscriptions/listen';

/** The response has begun: the failure is its last event, or it is cut off. */
const endStream = (
  { request, response }: HttpExchange,
  error: PlugboardError,
  { requests, isBetweenEvents }: LostRequest,
): void => {
  const [id] = requests?.isBatch === false ? requests.ids : [];
  if (isBetweenEvents && id !== undefined && isStreamOfCall(request)) {
    response.end(encodeSse({ event: 'message', data: writeFailure(id, error) }));
  } else {
    response.destroy();
  }
};

/**
 * Answers a request that was passed on to another process, which did not answer. Clients of MCP get a failure for each of
 * their requests, as from any other call that fails; all others what plain REST gives.
 */
export const refuseLost = (
  exchange: HttpExchange,
  segments: readonly string[],
  error: PlugboardError,
  lost: LostRequest,
): void => {
  const { request, response } = exchange;
  if (response.destroyed || response.writableEnded) return;
  const transport = request.method === 'POST' ? transportAt(segments) : undefined;
  if (response.headersSent) {
    endStream(exchange, error, lost);
  } else if (transport === undefined) {
    refusePlainly(request, response, error);
  } else if (lost.requests === undefined) {
    refuseMessage(request, response, error);
  } else {
    // Over HTTP+SSE, responses come on the stream: there the status is all that a client reads.
    const status = transport === 'mcp' ? 200 : error.httpStatus;
    refuseRequests(request, response, error, { ...lost.requests, status });
  }
};
