import { parseBoundedJson, PlugboardError, toPlugboardError } from '@plugboard/contract';
import { buildResult, chooseRevision, isJsonObject, LATEST_LEGACY } from '@plugboard/wire';
import { type Answer, emptyAnswer, errorAnswer, type Exchange, jsonAnswer } from '../exchange.js';
import { failureMessage, type Incoming, type IncomingRequest, readMessage } from './json-rpc.js';
import type { McpScope } from './mcp-scope.js';

export interface HubIdentity {
  readonly name: string;
  readonly version: string;
}

const initialize = (scope: McpScope, identity: HubIdentity, params: IncomingRequest['params']) => {
  const wanted = params['protocolVersion'];
  const known = typeof wanted === 'string' ? chooseRevision([wanted], 'legacy') : undefined;
  const instructions = scope.instructions();
  return {
    protocolVersion: known?.id ?? LATEST_LEGACY,
    capabilities: scope.capabilities(),
    serverInfo: { name: identity.name, version: identity.version },
    ...(instructions === undefined ? {} : { instructions }),
  };
};

const toolCall = (scope: McpScope, params: IncomingRequest['params'], signal: AbortSignal): Promise<unknown> => {
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') throw new PlugboardError('INVALID_ARGUMENT', 'tools/call needs "name", a string.');
  if (!isJsonObject(args)) {
    throw new PlugboardError('INVALID_ARGUMENT', 'tools/call takes "arguments" as an object.');
  }
  return scope.callTool(name, args, signal);
};

export interface McpEndpoint {
  readonly scope: McpScope;
  readonly identity: HubIdentity;
  readonly onInternalError: (error: unknown) => void;
}

const perform = async (
  { scope, identity }: McpEndpoint,
  { method, params }: IncomingRequest,
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

const answerRequest = async (endpoint: McpEndpoint, request: IncomingRequest, signal: AbortSignal): Promise<Answer> => {
  try {
    return jsonAnswer(200, buildResult(request.id, await perform(endpoint, request, signal)));
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    if (error.code === 'INTERNAL') endpoint.onInternalError(thrown);
    return jsonAnswer(200, failureMessage(request.id, error));
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
    return jsonAnswer(error.httpStatus, failureMessage(null, error));
  }
  switch (message.kind) {
    case 'request':
      return answerRequest(endpoint, message, exchange.signal);
    case 'nothing':
      return emptyAnswer(202);
    case 'invalid':
      return jsonAnswer(400, failureMessage(null, new PlugboardError('INVALID_REQUEST', message.reason)));
  }
};
