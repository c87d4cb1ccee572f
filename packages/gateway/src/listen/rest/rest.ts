import { PlugboardError, type ReadyAnswer, toPlugboardError } from '@plugboard/contract';
import type { HubIdentity } from '../../offer/greeting/greeting.js';
import { LOCAL_CALLER } from '../../call/caller.js';
import { entriesFor } from '../../offer/catalogue/catalogue-lookup.js';
import type { FirstLists } from '../../offer/aggregate/first-lists.js';
import type { CatalogueSource } from '../../offer/catalogue/catalogue-source.js';
import { type HttpAnswer, errorAnswer, type HttpRequest, jsonAnswer } from '../../http/http-request.js';
import { callNamedTool, type CallTool, listServers, listServerTools, showServer } from './server-endpoints.js';

export interface RestParts {
  readonly identity: HubIdentity;
  readonly catalogue: CatalogueSource;
  readonly firstLists: FirstLists;
  readonly callTool: CallTool;
  /** The tools of a toolset, as its endpoint offers them. */
  readonly toolsetTools: (name: string, request: HttpRequest) => readonly unknown[];
  readonly ready: () => Promise<ReadyAnswer>;
  readonly uptimeMs: () => number;
  readonly onInternalError: (error: unknown) => void;
}

type Endpoint = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** Endpoints of one path by HTTP method. */
type Endpoints = Readonly<Partial<Record<'GET' | 'POST', Endpoint>>>;

/** Whether the hub is ready is everybody's to know; of the rest, each caller is told what it may see. */
const ready = async (parts: RestParts, { caller = LOCAL_CALLER }: HttpRequest): Promise<HttpAnswer> => {
  const { servers, calls, programs, processes, services, ...state } = await parts.ready();
  const looksAround = caller.seesServices !== false;
  const seen = new Set(entriesFor(parts.catalogue, caller).map(({ server }) => server.server_name));
  const ofCaller = <State>(states: Readonly<Record<string, State>>): Readonly<Record<string, State>> =>
    Object.fromEntries(Object.entries(states).filter(([name]) => seen.has(name)));
  return jsonAnswer(state.status === 'ready' && state.store === 'ok' ? 200 : 503, {
    ...state,
    ...(calls === undefined ? {} : { calls: ofCaller(calls) }),
    ...(programs === undefined ? {} : { programs: ofCaller(programs) }),
    ...(processes === undefined || !looksAround ? {} : { processes }),
    services: looksAround ? services : {},
    servers: ofCaller(servers),
  });
};

const serverEndpoint = (parts: RestParts, name: string, rest: readonly string[]): Endpoints | undefined => {
  const [area, tool, ...more] = rest;
  if (more.length > 0) return undefined;
  if (area === undefined) return { GET: (request) => showServer(parts.catalogue, name, request) };
  if (area !== 'tools') return undefined;
  return tool === undefined
    ? { GET: (request) => listServerTools(parts, name, request) }
    : { POST: (request) => callNamedTool(parts.callTool, { kind: 'server', name, tool }, request) };
};

const toolsetEndpoint = (parts: RestParts, name: string, rest: readonly string[]): Endpoints | undefined => {
  const [area, tool, ...more] = rest;
  if (area !== 'tools' || more.length > 0) return undefined;
  return tool === undefined
    ? { GET: async (request) => jsonAnswer(200, parts.toolsetTools(name, request)) }
    : { POST: (request) => callNamedTool(parts.callTool, { kind: 'toolset', name, tool }, request) };
};

const find = (parts: RestParts, segments: readonly string[]): Endpoints | undefined => {
  const [head, name, ...rest] = segments;
  if (head === 'servers' && name !== undefined) return serverEndpoint(parts, name, rest);
  if (head === 'toolsets' && name !== undefined) return toolsetEndpoint(parts, name, rest);
  if (segments.length !== 1) return undefined;
  switch (head) {
    case 'health':
      return {
        GET: () => jsonAnswer(200, { status: 'ok', version: parts.identity.version, uptime_ms: parts.uptimeMs() }),
      };
    case 'ready':
      return { GET: (request) => ready(parts, request) };
    case 'servers':
      return { GET: (request) => listServers(parts.catalogue, request) };
    default:
      return undefined;
  }
};

const dispatch = async (parts: RestParts, request: HttpRequest): Promise<HttpAnswer> => {
  const endpoints = find(parts, request.segments);
  if (endpoints === undefined) {
    throw new PlugboardError('NOT_FOUND', 'Nothing is served at this path.', {
      hint: { api: 'GET /docs lists the paths.', cli: 'Check the URL of the hub: it is given without a path.' },
    });
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const endpoint = method === 'GET' || method === 'POST' ? endpoints[method] : undefined;
  if (endpoint !== undefined) return endpoint(request);
  const allow = Object.keys(endpoints).join(', ');
  const error = new PlugboardError('METHOD_NOT_ALLOWED', `This path accepts ${allow}, not ${request.method}.`, {
    hint: `Use ${allow}.`,
  });
  return errorAnswer(error, { allow });
};

const OWN_PATHS: ReadonlySet<string> = new Set(['health', 'ready', 'servers', 'toolsets']);

export const servesRest = ([head = '']: readonly string[]): boolean => OWN_PATHS.has(head);

/** Plain REST for scripts; `other` takes paths that are not plain. */
export const answerRest = async (
  parts: RestParts,
  request: HttpRequest,
  other: (segments: readonly string[]) => Endpoint | undefined,
): Promise<HttpAnswer> => {
  try {
    return await (other(request.segments)?.(request) ?? dispatch(parts, request));
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    if (error.code === 'INTERNAL') parts.onInternalError(thrown);
    return errorAnswer(error);
  }
};
