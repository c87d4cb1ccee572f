import { type CatalogueEntry, PlugboardError, type ToolDefinition, type ToolResult } from '@plugboard/contract';
import { type BoundTool, offeredTools, requireServer, requireTool, requireToolOf } from '../catalogue-lookup.js';
import type { CatalogueSource } from '../catalogue-source.js';
import { toDefinition } from '../tool-listing.js';
import type { UpstreamPool } from '../upstream/upstream-pool.js';

type Params = Readonly<Record<string, unknown>>;

/** What stands behind one MCP endpoint: a single server, or all of them. */
export interface McpScope {
  capabilities(): Readonly<Record<string, unknown>>;
  instructions(): string | undefined;
  listTools(): readonly ToolDefinition[];
  callTool(name: string, args: Params, signal: AbortSignal): Promise<ToolResult>;
  /** Any other method. */
  forward(method: string, params: Params, signal: AbortSignal): Promise<unknown>;
}

export interface ScopeSources {
  readonly catalogue: CatalogueSource;
  readonly upstream: UpstreamPool;
}

const call = ({ upstream }: ScopeSources, { server, tool }: BoundTool, args: Params, signal: AbortSignal) =>
  upstream.use(server, (client) => client.callTool(tool.upstream_name, args, { signal }));

/** Requests that mean the same without a session. */
const STATELESS_METHODS = new Set([
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

const unknownMethod = (method: string, hint: string): never => {
  throw new PlugboardError('METHOD_NOT_FOUND', `The method "${method}" is not served here.`, { hint });
};

/** Capabilities of the server that also hold without a session. */
const statelessCapabilities = (known: Params | undefined): Params => {
  const kept = ['resources', 'prompts', 'completions'].filter((name) => known?.[name] !== undefined);
  return { tools: {}, ...Object.fromEntries(kept.map((name) => [name, {}])) };
};

/** One server, under the names it chose itself. */
export const serverScope = (sources: ScopeSources, name: string): McpScope => {
  const entry: CatalogueEntry = requireServer(sources.catalogue, name);
  const client = () => sources.upstream.peek(entry.server.id);
  return {
    capabilities: () => statelessCapabilities(client()?.capabilities),
    instructions: () => client()?.instructions,
    listTools: () => offeredTools(entry).map((tool) => toDefinition(tool, tool.upstream_name)),
    callTool: (tool, args, signal) => call(sources, requireToolOf(entry, tool), args, signal),
    forward: async (method, params, signal) =>
      STATELESS_METHODS.has(method)
        ? sources.upstream.use(entry.server, (upstream) => upstream.request(method, params, { signal }))
        : unknownMethod(method, `Served here: tools, resources, prompts and completion of "${name}".`),
  };
};

/** Every enabled server at once, under the names a model sees. */
export const hubScope = (sources: ScopeSources): McpScope => ({
  capabilities: () => ({ tools: {} }),
  instructions: () => undefined,
  listTools: () =>
    sources.catalogue
      .snapshot()
      .entries.filter(({ server }) => server.enabled)
      .flatMap((entry) => offeredTools(entry).map((tool) => toDefinition(tool, tool.name))),
  callTool: (name, args, signal) => call(sources, requireTool(sources.catalogue, name), args, signal),
  forward: async (method) =>
    unknownMethod(method, 'This endpoint serves tools; resources and prompts are at /servers/{name}/mcp.'),
});
