import { randomUUID } from 'node:crypto';
import {
  PlugboardError,
  type PageQuery,
  type Server,
  type ServerCreate,
  type ServerId,
  type ServerStatus,
  type SyncReport,
  type Tool,
  type ToolDefinition,
  type ToolId,
  type ToolResult,
} from '@plugboard/contract';
import type { CallOptions, Registry } from '../../registry.js';
import { refuseMasks } from '../../server/masked-secret.js';
import { mergeConfig } from '../../server/merge-config.js';

const AT = '2026-01-01T00:00:00.000Z';

/** What a registered server does in a test. */
export interface Upstream {
  readonly listTools: (
    server: Pick<Server, 'server_name' | 'config'>,
    options: CallOptions,
  ) => Promise<ToolDefinition[]>;
  readonly callTool: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ) => Promise<ToolResult>;
}

const missing = (code: 'SERVER_NOT_FOUND' | 'TOOL_NOT_FOUND'): PlugboardError =>
  new PlugboardError(code, code === 'SERVER_NOT_FOUND' ? 'No such server.' : 'No such tool.', { hint: 'List them.' });

const paged = <T extends { readonly id: string }>(all: readonly T[], page: PageQuery = {}): readonly T[] => {
  const start = page.after === undefined ? 0 : all.findIndex(({ id }) => id === page.after) + 1;
  return all.slice(start, start + (page.limit ?? all.length));
};

const toolOf = (server: Server, definition: ToolDefinition, before: Tool | undefined): Tool => ({
  id: before?.id ?? (`tool-${randomUUID()}` as ToolId),
  server_id: server.id,
  upstream_name: definition.name,
  name: `${server.server_name}__${definition.name}`,
  title: null,
  description: typeof definition.description === 'string' ? definition.description : null,
  tool_type: 'external_mcp',
  input_schema: definition.inputSchema,
  annotations: null,
  grade: { status: 'STRICT_COMPLIANT', reasons: [] },
  tags: [`mcp:${server.server_name}`],
  metadata: { mcp: { server_id: server.id, server_name: server.server_name } },
  enabled: before?.enabled ?? true,
  contract_hash: 'hash',
  created_at: AT,
  updated_at: AT,
});

/** A registry that keeps all in memory: enough for the routes, and nothing of the real one. */
export const memoryRegistry = (upstream: Upstream): Registry => {
  const servers = new Map<string, Server>();
  const tools = new Map<string, Tool>();
  const statuses = new Map<string, ServerStatus>();
  const toolsOf = (id: string): Tool[] => [...tools.values()].filter((tool) => tool.server_id === id);
  const getServer = async (id: string): Promise<Server> => {
    const server = servers.get(id);
    if (server === undefined) throw missing('SERVER_NOT_FOUND');
    return server;
  };
  const getTool = async (serverId: string, toolId: string): Promise<Tool> => {
    await getServer(serverId);
    const tool = tools.get(toolId);
    if (tool?.server_id !== serverId) throw missing('TOOL_NOT_FOUND');
    return tool;
  };
  const refuseClash = (name: string, id?: string): void => {
    const clash = [...servers.values()].some((server) => server.server_name === name && server.id !== id);
    if (clash) throw new PlugboardError('CONFLICT', 'A server of that name exists.', { hint: 'Choose another.' });
  };
  const sync = async (server: Server, dryRun: boolean): Promise<SyncReport> => {
    const report: SyncReport = {
      status: 'ok',
      added: [],
      updated: [],
      deleted: [],
      skipped: [],
      failed: [],
      total: 0,
      dry_run: dryRun,
      at: AT,
    };
    try {
      const definitions = await upstream.listTools(server, {});
      const before = new Map(toolsOf(server.id).map((tool) => [tool.upstream_name, tool]));
      const names = definitions.map(({ name }) => name);
      report.total = names.length;
      report.added = names.filter((name) => !before.has(name));
      report.deleted = [...before.keys()].filter((name) => !names.includes(name));
      if (dryRun) return report;
      statuses.set(server.id, { state: 'ready', at: AT });
      for (const tool of toolsOf(server.id)) tools.delete(tool.id);
      for (const definition of definitions) {
        const tool = toolOf(server, definition, before.get(definition.name));
        tools.set(tool.id, tool);
      }
      return report;
    } catch (thrown) {
      const error = (thrown as PlugboardError).toJSON();
      if (!dryRun) statuses.set(server.id, { state: 'failing', at: AT, error });
      return { ...report, status: 'failed', error };
    }
  };
  return {
    registerServer: async (input: ServerCreate) => {
      refuseClash(input.server_name);
      refuseMasks(input.config);
      const id: ServerId = `mcp_server-${randomUUID()}`;
      const server: Server = {
        id,
        ...input,
        enabled: true,
        protocol: null,
        last_sync: null,
        created_at: AT,
        updated_at: AT,
      };
      servers.set(id, server);
      return { server, sync: await sync(server, false) };
    },
    listServers: async (page) => paged([...servers.values()], page),
    getServer,
    findServerByName: async (name) => [...servers.values()].find((server) => server.server_name === name),
    updateServer: async (id, { server_name: name, config, enabled }) => {
      const before = await getServer(id);
      if (typeof name === 'string') refuseClash(name, id);
      const server = {
        ...before,
        server_name: name ?? before.server_name,
        enabled: enabled ?? before.enabled,
        config: config === undefined ? before.config : mergeConfig(before.config, config),
      };
      servers.set(id, server);
      return server;
    },
    deleteServer: async (id) => {
      await getServer(id);
      for (const tool of toolsOf(id)) tools.delete(tool.id);
      servers.delete(id);
    },
    syncServer: async (id, options) => sync(await getServer(id), options?.dryRun === true),
    listLiveTools: async (id, options) => upstream.listTools(await getServer(id), options ?? {}),
    tryConfig: async (input, options) => upstream.listTools(input, options ?? {}),
    listTools: async (filter, page) =>
      paged(
        [...tools.values()].filter((tool) => filter?.serverId === undefined || tool.server_id === filter.serverId),
        page,
      ),
    getTool,
    updateTool: async (serverId, toolId, { enabled, tags }) => {
      const before = await getTool(serverId, toolId);
      const tool = { ...before, enabled: enabled ?? before.enabled, tags: tags ?? before.tags };
      tools.set(tool.id, tool);
      return tool;
    },
    callTool: async (serverId, toolId, args, options) =>
      upstream.callTool((await getTool(serverId, toolId)).upstream_name, args, options ?? {}),
    status: (id) => statuses.get(id) ?? { state: 'unknown' },
    snapshot: () => ({
      version: 1,
      entries: [...servers.values()].map((server) => ({ server, tools: toolsOf(server.id) })),
    }),
    onChange: () => () => undefined,
    close: async () => undefined,
  };
};
