import { PlugboardError, type ReadyAnswer, toPlugboardError } from '@plugboard/contract';
import { answerMcp, type HubIdentity } from './endpoint/mcp-endpoint.js';
import { hubScope, type ScopeSources, serverScope } from './endpoint/mcp-scope.js';
import { callServerTool, listServers, listServerTools, showServer } from './endpoint/server-endpoints.js';
import { type Answer, errorAnswer, type Exchange, jsonAnswer } from './exchange.js';

export interface GatewayOptions extends ScopeSources {
  readonly identity: HubIdentity;
  readonly ready: () => Promise<ReadyAnswer>;
  readonly uptimeMs: () => number;
  readonly onInternalError: (error: unknown) => void;
}

export interface Gateway {
  /** Is this path the gateway's? Everything else belongs to the admin API. */
  serves(segments: readonly string[]): boolean;
  answer(exchange: Exchange): Promise<Answer>;
}

type Endpoint = (exchange: Exchange) => Answer | Promise<Answer>;

const ready = async (options: GatewayOptions): Promise<Answer> => {
  const state = await options.ready();
  return jsonAnswer(state.status === 'ready' && state.store === 'ok' ? 200 : 503, state);
};

const serverEndpoint = (options: GatewayOptions, name: string, rest: readonly string[]): Endpoints | undefined => {
  const [area, tool, ...more] = rest;
  if (more.length > 0) return undefined;
  if (area === undefined) return { GET: () => showServer(options.catalogue, name) };
  if (area === 'mcp' && tool === undefined) {
    return { '*': (exchange) => answerMcp({ ...options, scope: serverScope(options, name) }, exchange) };
  }
  if (area !== 'tools') return undefined;
  return tool === undefined
    ? { GET: () => listServerTools(options.catalogue, name) }
    : { POST: (exchange) => callServerTool(options, { server: name, tool }, exchange) };
};

/** Endpoints of one path by HTTP method; `*` takes every method. */
type Endpoints = Readonly<Partial<Record<'GET' | 'POST' | '*', Endpoint>>>;

const find = (options: GatewayOptions, segments: readonly string[]): Endpoints | undefined => {
  const [head, name, ...rest] = segments;
  if (head === 'servers' && name !== undefined) return serverEndpoint(options, name, rest);
  if (segments.length !== 1) return undefined;
  switch (head) {
    case 'health':
      return {
        GET: () => jsonAnswer(200, { status: 'ok', version: options.identity.version, uptime_ms: options.uptimeMs() }),
      };
    case 'ready':
      return { GET: () => ready(options) };
    case 'servers':
      return { GET: () => listServers(options.catalogue) };
    case 'mcp':
      return { '*': (exchange) => answerMcp({ ...options, scope: hubScope(options) }, exchange) };
    default:
      return undefined;
  }
};

const dispatch = async (options: GatewayOptions, exchange: Exchange): Promise<Answer> => {
  const endpoints = find(options, exchange.segments);
  if (endpoints === undefined) {
    throw new PlugboardError('NOT_FOUND', 'There is nothing at this path.', { hint: 'GET /docs lists the paths.' });
  }
  const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
  const endpoint = endpoints['*'] ?? (method === 'GET' || method === 'POST' ? endpoints[method] : undefined);
  if (endpoint !== undefined) return endpoint(exchange);
  const allow = Object.keys(endpoints).join(', ');
  const error = new PlugboardError('METHOD_NOT_ALLOWED', `This path takes ${allow}, not ${exchange.method}.`, {
    hint: `Use ${allow}.`,
  });
  return errorAnswer(error, { allow });
};

const OWN_PATHS: ReadonlySet<string> = new Set(['health', 'ready', 'servers', 'mcp']);

/**
 * The first data plane: plain REST and MCP without sessions. It takes and gives plain data, so that a faster one can
 * stand in its place without anything else noticing.
 */
export const createGateway = (options: GatewayOptions): Gateway => ({
  serves: ([head = '']) => OWN_PATHS.has(head),
  answer: async (exchange) => {
    try {
      return await dispatch(options, exchange);
    } catch (thrown) {
      const error = toPlugboardError(thrown);
      if (error.code === 'INTERNAL') options.onInternalError(thrown);
      return errorAnswer(error);
    }
  },
});
