import { parseBoundedJson, PlugboardError, toPlugboardError } from '@plugboard/contract';
import { type Answer, emptyAnswer, errorAnswer, type Exchange, jsonAnswer } from '../exchange.js';
import { errorMessage, type Incoming, type JsonRpcRequest, readMessage, resultMessage } from './json-rpc.js';
import type { McpScope } from './mcp-scope.js';

/** The revisions a client may name in initialize; to any other word we answer with the newest. */
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const NEWEST = REVISIONS[0];

export interface HubIdentity {
  readonly name: string;
  readonly version: string;
}

const initialize = (scope: McpScope, identity: HubIdentity, params: JsonRpcRequest['params']) => {
  const wanted = params['protocolVersion'];
  const instructions = scope.instructions();
  return {
    protocolVersion: REVISIONS.find((revision) => revision === wanted) ?? NEWEST,
    capabilities: scope.capabilities(),
    serverInfo: { name: identity.name, version: identity.version },
    ...(instructions === undefined ? {} : { instructions }),
  };
};

const toolCall = (scope: McpScope, params: JsonRpcRequest['params'], signal: AbortSignal): Promise<unknown> => {
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') throw new PlugboardError('INVALID_ARGUMENT', 'tools/call needs "name", a string.');
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new PlugboardError('INVALID_ARGUMENT', 'tools/call takes "arguments" as an object.');
  }
  return scope.callTool(name, args as Record<string, unknown>, signal);
};

export interface McpEndpoint {
  readonly scope: McpScope;
  readonly identity: HubIdentity;
  readonly onInternalError: (error: unknown) => void;
}

const perform = async (
  { scope, identity }: McpEndpoint,
  { method, params }: JsonRpcRequest,
  signal: AbortSignal,
): Promise<unknown> => {
  switch (method) {
    case 'initialize':
      return initialize(scope, identity, params);
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: scope.listTools() };
    case 'tools/call':
      return toolCall(scope, params, signal);
    default:
      return scope.forward(method, params, signal);
  }
};

const parse = (body: string): unknown => {
  if (body.trim() === '') {
    throw new PlugboardError('INVALID_JSON', 'The body is empty.', { hint: 'POST one JSON-RPC message.' });
  }
  return parseBoundedJson(body);
};

const refuseMethod = (method: string): Answer => {
  const error = new PlugboardError('METHOD_NOT_ALLOWED', `This endpoint takes POST, not ${method}.`, {
    hint: 'POST one JSON-RPC message; there is no stream to GET.',
  });
  return errorAnswer(error, { allow: 'POST' });
};

const answerRequest = async (endpoint: McpEndpoint, request: JsonRpcRequest, signal: AbortSignal): Promise<Answer> => {
  try {
    return jsonAnswer(200, resultMessage(request.id, await perform(endpoint, request, signal)));
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    if (error.code === 'INTERNAL') endpoint.onInternalError(thrown);
    return jsonAnswer(200, errorMessage(request.id, error));
  }
};

/**
 * MCP without sessions and without streams: each POST holds one message and gets plain JSON. Failures inside a request
 * are JSON-RPC errors under HTTP 200, because a client that speaks JSON-RPC looks for them there.
 */
export const answerMcp = async (endpoint: McpEndpoint, exchange: Exchange): Promise<Answer> => {
  if (exchange.method !== 'POST') return refuseMethod(exchange.method);
  let message: Incoming;
  try {
    message = readMessage(parse(exchange.body));
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    return jsonAnswer(error.httpStatus, errorMessage(null, error));
  }
  switch (message.kind) {
    case 'request':
      return answerRequest(endpoint, message, exchange.signal);
    case 'notification':
    case 'response':
      return emptyAnswer(202);
    case 'invalid':
      return jsonAnswer(400, errorMessage(message.id, new PlugboardError('INVALID_REQUEST', message.reason)));
  }
};
