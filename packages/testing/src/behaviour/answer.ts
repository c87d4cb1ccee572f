import { META } from '../json-rpc/meta-key.js';
import {
  failed,
  isObject,
  succeeded,
  type JsonObject,
  type JsonRpcRequest,
  type JsonRpcResponse,
} from '../json-rpc/message.js';
import { INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, RpcError } from '../json-rpc/rpc-error.js';
import { serverInfoOf } from './capabilities.js';
import { completionMethods } from './completion-method.js';
import type { Exchange } from './exchange.js';
import { fakeCall } from './fake-call.js';
import { InputRequired, inputRequiredResult } from './input-required.js';
import { legacyMethods } from './legacy-methods.js';
import type { Method, MethodTable } from './method.js';
import { checkEnvelope } from './modern-envelope.js';
import { checkHeaders, checkVersionHeader } from './modern-headers.js';
import { modernMethods } from './modern-methods.js';
import { promptMethods } from './prompt-methods.js';
import { resourceMethods } from './resource-methods.js';
import { toolMethods } from './tool-methods.js';
import type { World } from './world.js';

/** The outcome of a request, and its status over Streamable HTTP. */
export interface Outcome {
  readonly response: JsonRpcResponse;
  readonly httpStatus: number;
}

const SHARED: MethodTable = { ...toolMethods, ...resourceMethods, ...promptMethods, ...completionMethods };
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

const methodOf = (world: World, exchange: Exchange, name: string): Method => {
  const table = { ...SHARED, ...(exchange.era === 'modern' ? modernMethods : legacyMethods) };
  const method = Object.hasOwn(table, name) ? table[name] : undefined;
  if (method !== undefined) return method;
  const own = world.options.methods?.[name];
  if (own !== undefined) return (params, { call }) => own(params, call());
  throw new RpcError(METHOD_NOT_FOUND, 'Method not found', {
    data: { method: name },
    httpStatus: exchange.era === 'modern' ? 404 : 200,
  });
};

const checkRequest = (world: World, exchange: Exchange, request: JsonRpcRequest): void => {
  if (exchange.era === 'modern') {
    if (exchange.transport !== 'stdio') checkVersionHeader(request, exchange.headers);
    checkEnvelope(request, world.revisions);
    if (exchange.transport !== 'stdio') checkHeaders(request, exchange.headers, world.offer);
  } else if (exchange.session?.protocolVersion === undefined && exchange.session !== undefined) {
    if (request.method !== 'initialize' && request.method !== 'ping' && request.method !== 'server/discover') {
      throw new RpcError(INVALID_REQUEST, 'The server is not initialised');
    }
  }
};

/** Legacy results go out as they are; modern ones get their envelope. */
const finish = (world: World, exchange: Exchange, method: string, result: JsonObject): JsonObject => {
  if (exchange.era === 'legacy') return result;
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  const complete = result['resultType'] === undefined || result['resultType'] === 'complete';
  const hints = { ttlMs: world.options.ttlMs ?? 0, cacheScope: world.options.cacheScope ?? 'private' };
  return {
    resultType: 'complete',
    ...(complete && CACHEABLE.has(method) ? hints : {}),
    ...result,
    _meta: { [META.serverInfo]: serverInfoOf(world), ...meta },
  };
};

const outcomeOf = (world: World, exchange: Exchange, request: JsonRpcRequest, thrown: unknown): Outcome => {
  if (thrown instanceof InputRequired) {
    const result = inputRequiredResult(request, thrown, world.stateKey);
    return { response: succeeded(request.id, finish(world, exchange, request.method, result)), httpStatus: 200 };
  }
  const error = thrown instanceof RpcError ? thrown : new RpcError(INTERNAL_ERROR, 'The handler failed');
  return { response: failed(request.id, error.toFailure()), httpStatus: error.httpStatus };
};

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

/** Answers one request; undefined when the client cancelled it, for then nothing may be sent. */
export const answer = async (world: World, outer: Exchange, request: JsonRpcRequest): Promise<Outcome | undefined> => {
  // Nothing can cancel initialize.
  const session = request.method === 'initialize' ? undefined : outer.session;
  const running = session?.begin(request.id, outer.signal) ?? { signal: outer.signal, end: () => undefined };
  const exchange = { ...outer, signal: running.signal };
  const run = async (): Promise<Outcome> => {
    try {
      checkRequest(world, exchange, request);
      const method = methodOf(world, exchange, request.method);
      const result = await method(request.params ?? {}, {
        world,
        exchange,
        request,
        call: (settings) => fakeCall(world, exchange, request, settings),
      });
      return { response: succeeded(request.id, finish(world, exchange, request.method, result)), httpStatus: 200 };
    } catch (thrown) {
      return outcomeOf(world, exchange, request, thrown);
    }
  };
  try {
    const outcome = await Promise.race([run(), aborted(running.signal)]);
    return running.signal.aborted ? undefined : outcome;
  } finally {
    running.end();
  }
};
