import {
  PlugboardError,
  serverCreate,
  type ServerUpdate,
  type ServerView,
  type SyncReport,
  toErrorEnvelope,
  toPlugboardError,
  type ToolUpdate,
} from '@plugboard/contract';
import { fetchHubApi } from '../hub-api/fetch-hub-api.js';
import type { HubApi, HubPlace } from '../hub-api/hub-api.js';
import { aServer, aTool, okReport, type ToolSketch } from './shapes.js';

export interface FakeHubOptions {
  readonly servers?: readonly ServerView[];
  readonly tools?: Readonly<Record<string, readonly ToolSketch[]>>;
  /** The result of a JSON-RPC request, or an error with `code` and `message`. */
  readonly rpc?: (server: string, method: string, params: Readonly<Record<string, unknown>>) => unknown;
  readonly sync?: (server: ServerView, dryRun: boolean) => SyncReport;
  /** Whole answers by path, for routes that have no behaviour here; a function is asked each time. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly place?: HubPlace;
  readonly signal?: AbortSignal;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface FakeHub {
  readonly api: HubApi;
  /** Every request, in order. */
  readonly seen: readonly Seen[];
  readonly closed: () => boolean;
}

type Body = Readonly<Record<string, unknown>>;

/** May be a whole response, such as a stream of events. */
export type Answer = (method: string, url: URL, body: Body) => unknown;

interface RpcBody {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const notFound = (): never => {
  throw new PlugboardError('SERVER_NOT_FOUND', 'There is no such server.');
};

/** Behaves like the admin API as far as commands use it, over an array. */
const adminRoutes = (options: FakeHubOptions) => {
  const servers: ServerView[] = [...(options.servers ?? [])];
  const at = (id: string): number => {
    const index = servers.findIndex((server) => server.id === id);
    return index === -1 ? notFound() : index;
  };
  const byId = (id: string): ServerView => servers[at(id)] ?? notFound();
  const toolsOf = (server: ServerView) =>
    (options.tools?.[server.server_name] ?? []).map((sketch, index) => aTool(server, sketch, index + 1));
  return {
    servers,
    list: () => servers,
    add: (body: Body) => {
      const create = serverCreate.parse(body);
      if (servers.some((server) => server.server_name === create.server_name)) {
        throw new PlugboardError('CONFLICT', `A server named "${create.server_name}" already exists.`);
      }
      const server = aServer(create, {}, servers.length + 1);
      const sync = options.sync?.(server, false) ?? okReport(toolsOf(server).map((tool) => tool.upstream_name));
      servers.push({ ...server, tool_count: sync.total });
      return { ...server, sync };
    },
    change: (id: string, body: Body) => {
      const { server_name: name, enabled, config = {} } = body as ServerUpdate;
      const changed = {
        ...byId(id),
        ...config,
        ...(name ? { server_name: name } : {}),
        ...(enabled === undefined ? {} : { enabled }),
      };
      servers[at(id)] = changed;
      return changed;
    },
    remove: (id: string) => void servers.splice(at(id), 1),
    sync: (id: string, dryRun: boolean) =>
      options.sync?.(byId(id), dryRun) ?? { ...okReport([]), total: toolsOf(byId(id)).length, dry_run: dryRun },
    tools: (id: string) => toolsOf(byId(id)),
    changeTool: (id: string, toolId: string, body: Body) => {
      const tool = toolsOf(byId(id)).find((entry) => entry.id === toolId);
      return tool === undefined ? notFound() : { ...tool, ...(body as ToolUpdate) };
    },
  };
};

const answerRpc = (options: FakeHubOptions, server: string, { method, params }: RpcBody): unknown => {
  try {
    return { jsonrpc: '2.0', id: 1, result: options.rpc?.(server, method, params ?? {}) ?? {} };
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    return { jsonrpc: '2.0', id: 1, error: { code: -32000, message: error.message, data: error.toJSON() } };
  }
};

/** A hub in memory, behind the same adapter that reaches a real one. */
export const fakeHub = (options: FakeHubOptions = {}): FakeHub => {
  const admin = adminRoutes(options);
  const seen: Seen[] = [];
  let isClosed = false;
  const route = (method: string, url: URL, body: Body): unknown => {
    const [root, second, id = '', rest, toolId = ''] = url.pathname.split('/').slice(1).map(decodeURIComponent);
    const given = options.answers?.[url.pathname];
    if (given !== undefined) return typeof given === 'function' ? (given as Answer)(method, url, body) : given;
    if (root === 'health') return { status: 'ok', version: '0.1.0', uptime_ms: 1 };
    if (root === 'ready') return { status: 'ready', store: 'ok', servers: {}, services: {} };
    if (second === 'keys' || second === 'plugins') return [];
    if (root === 'servers' && id === 'mcp') return answerRpc(options, second ?? '', body as unknown as RpcBody);
    if (second !== 'mcp-servers') return notFound();
    if (id === '') return method === 'POST' ? admin.add(body) : admin.list();
    if (rest === 'sync') return admin.sync(id, url.searchParams.get('dry_run') === 'true');
    if (rest === 'tools') return method === 'PATCH' ? admin.changeTool(id, toolId, body) : admin.tools(id);
    if (method === 'DELETE') return admin.remove(id);
    return method === 'PATCH' ? admin.change(id, body) : notFound();
  };
  const fetch = async (request: Request): Promise<Response> => {
    request.signal.throwIfAborted();
    const url = new URL(request.url);
    const text = await request.text();
    const body = (text === '' ? {} : JSON.parse(text)) as Body;
    seen.push({ method: request.method, path: `${url.pathname}${url.search}`, body: text === '' ? undefined : body });
    try {
      const json = await route(request.method, url, body);
      if (json instanceof Response) return json;
      return json === undefined ? new Response(null, { status: 204 }) : Response.json(json);
    } catch (thrown) {
      const error = toPlugboardError(thrown);
      return Response.json(toErrorEnvelope(error), { status: error.httpStatus });
    }
  };
  const api = fetchHubApi({
    place: options.place ?? { kind: 'in-process' },
    fetch,
    signal: options.signal ?? new AbortController().signal,
    close: async () => {
      isClosed = true;
    },
  });
  return { api, seen, closed: () => isClosed };
};
