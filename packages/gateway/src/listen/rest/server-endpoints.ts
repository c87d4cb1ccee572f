import { type CatalogueEntry, MAX_REST_VALUES, parseBoundedJson, PlugboardError } from '@plugboard/contract';
import { LOCAL_CALLER } from '../../call/caller.js';
import { entriesFor, offeredTools, requireServerFor } from '../../offer/catalogue/catalogue-lookup.js';
import type { FirstLists } from '../../offer/aggregate/first-lists.js';
import type { CatalogueSource } from '../../offer/catalogue/catalogue-source.js';
import { type HttpAnswer, type HttpRequest, jsonAnswer } from '../../http/http-request.js';
import { toDefinition } from '../../offer/catalogue/tool-definition.js';

const summary = (catalogue: CatalogueSource, entry: CatalogueEntry) => ({
  id: entry.server.id,
  type: entry.server.config.mcp_server_type,
  enabled: entry.server.enabled,
  status: catalogue.status(entry.server.id),
  tool_count: offeredTools(entry).length,
  mcp_url: `/servers/${encodeURIComponent(entry.server.server_name)}/mcp`,
});

/** GET /servers: every server by its name, and by its other names. */
export const listServers = (catalogue: CatalogueSource, { caller = LOCAL_CALLER }: HttpRequest): HttpAnswer => {
  const seen = new Map(
    entriesFor(catalogue, caller).map((entry) => [entry.server.server_name, summary(catalogue, entry)]),
  );
  const others = Object.entries(catalogue.aliases ?? {}).flatMap(([alias, name]) => {
    const server = seen.get(name);
    return server === undefined || seen.has(alias) ? [] : [[alias, { ...server, alias_of: name }] as const];
  });
  return jsonAnswer(200, Object.fromEntries([...seen, ...others]));
};

/** GET /servers/{name} */
export const showServer = (
  catalogue: CatalogueSource,
  name: string,
  { caller = LOCAL_CALLER }: HttpRequest,
): HttpAnswer => {
  const entry = requireServerFor(catalogue, name, caller);
  return jsonAnswer(200, { name: entry.server.server_name, ...summary(catalogue, entry) });
};

const toolViews = (entry: CatalogueEntry) =>
  offeredTools(entry).map((tool) => ({ ...toDefinition(entry, tool, tool.upstream_name), grade: tool.grade }));

/** GET /servers/{name}/tools: the tools as the server names them, from the catalogue. */
export const listServerTools = async (
  { catalogue, firstLists }: { readonly catalogue: CatalogueSource; readonly firstLists: FirstLists },
  name: string,
  { caller = LOCAL_CALLER, signal }: HttpRequest,
): Promise<HttpAnswer> => {
  const entry = () => requireServerFor(catalogue, name, caller);
  await firstLists.settle({ kind: 'server', servers: () => [entry().server] }, signal);
  return jsonAnswer(200, toolViews(entry()));
};

const parseArguments = (body: string): Readonly<Record<string, unknown>> => {
  if (body.trim() === '') return {};
  const value = parseBoundedJson(body, { maxValues: MAX_REST_VALUES });
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new PlugboardError('INVALID_ARGUMENT', 'The body must be a JSON object with the arguments of the tool.', {
    hint: 'For example: {"message": "hello"}',
  });
};

export interface ToolAddress {
  readonly kind: 'server' | 'toolset';
  readonly name: string;
  readonly tool: string;
}

/** Calls a tool on behalf of a caller, the way that every request takes. */
export type CallTool = (
  address: ToolAddress,
  args: Readonly<Record<string, unknown>>,
  request: HttpRequest,
) => Promise<unknown>;

/** POST /servers/{name}/tools/{tool}, and the same under /toolsets: calls the tool with the body as its arguments. */
export const callNamedTool = async (
  callTool: CallTool,
  address: ToolAddress,
  request: HttpRequest,
): Promise<HttpAnswer> => jsonAnswer(200, await callTool(address, parseArguments(request.body), request));
