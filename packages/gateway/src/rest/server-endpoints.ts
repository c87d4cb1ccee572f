import { type CatalogueEntry, parseBoundedJson, PlugboardError } from '@plugboard/contract';
import { LOCAL_CALLER } from '../call/caller.js';
import { entriesFor, offeredTools, requireServerFor } from '../catalogue-lookup.js';
import type { FirstLists } from '../aggregate/first-lists.js';
import type { CatalogueSource } from '../catalogue-source.js';
import { type Answer, type Exchange, jsonAnswer } from '../exchange.js';
import { toDefinition } from '../tool-listing.js';

const summary = (catalogue: CatalogueSource, entry: CatalogueEntry) => ({
  id: entry.server.id,
  type: entry.server.config.mcp_server_type,
  enabled: entry.server.enabled,
  status: catalogue.status(entry.server.id),
  tool_count: offeredTools(entry).length,
  mcp_url: `/servers/${encodeURIComponent(entry.server.server_name)}/mcp`,
});

/** GET /servers: every server by its name, and by its other names. */
export const listServers = (catalogue: CatalogueSource, { caller = LOCAL_CALLER }: Exchange): Answer => {
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
export const showServer = (catalogue: CatalogueSource, name: string, { caller = LOCAL_CALLER }: Exchange): Answer => {
  const entry = requireServerFor(catalogue, name, caller);
  return jsonAnswer(200, { name: entry.server.server_name, ...summary(catalogue, entry) });
};

const toolViews = (entry: CatalogueEntry) =>
  offeredTools(entry).map((tool) => ({ ...toDefinition(entry, tool, tool.upstream_name), grade: tool.grade }));

/** GET /servers/{name}/tools: the tools as the server names them, from the catalogue. */
export const listServerTools = async (
  { catalogue, firstLists }: { readonly catalogue: CatalogueSource; readonly firstLists: FirstLists },
  name: string,
  { caller = LOCAL_CALLER, signal }: Exchange,
): Promise<Answer> => {
  const entry = () => requireServerFor(catalogue, name, caller);
  await firstLists.settle({ kind: 'server', servers: () => [entry().server] }, signal);
  return jsonAnswer(200, toolViews(entry()));
};

const parseArguments = (body: string): Readonly<Record<string, unknown>> => {
  if (body.trim() === '') return {};
  const value = parseBoundedJson(body);
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
  exchange: Exchange,
) => Promise<unknown>;

/** POST /servers/{name}/tools/{tool}, and the same under /toolsets: calls the tool with the body as its arguments. */
export const callNamedTool = async (callTool: CallTool, address: ToolAddress, exchange: Exchange): Promise<Answer> =>
  jsonAnswer(200, await callTool(address, parseArguments(exchange.body), exchange));
