import {
  liveTool as liveToolSchema,
  syncReport,
  toolExecution,
  toolRunRequest,
  toolView as toolViewSchema,
  PlugboardError,
  type Server,
  type Tool,
} from '@plugboard/contract';
import { z } from 'zod';
import type { Registry } from '../../facade/registry.js';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { UPSTREAM_ERRORS } from '../endpoint/upstream-errors.js';
import type { Operation } from '../operation.js';
import { behalfOf, reachFor } from '../endpoint/on-behalf.js';
import { agentQuery } from '../input/agent-query.js';
import { liveTool } from '../view/live-tool.js';
import { refreshed } from '../view/refreshed.js';
import { executionResult } from '../view/run-result.js';
import { toolView } from '../view/tool-view.js';
import { serverByName } from './server-lookup.js';
import { allPages } from '../paging.js';

const MAX_NAMES = 50;

/** The tool that the server knows under that name, when it is stored. */
const toolByName = async (
  registry: Registry,
  server: Server,
  name: string,
): Promise<{ readonly tool: Tool | undefined; readonly known: readonly string[] }> => {
  const tools = await allPages((page) => registry.listTools({ serverId: server.id }, page));
  return {
    tool: tools.find((tool) => tool.upstream_name === name) ?? tools.find((tool) => tool.name === name),
    known: tools.map((tool) => tool.upstream_name),
  };
};

const toolMissing = (known: readonly string[]): PlugboardError =>
  new PlugboardError('TOOL_NOT_FOUND', 'The server has no tool with that name.', {
    hint: 'details.available lists its tools. To read them from the server again, resync.',
    details: { available: known.slice(0, MAX_NAMES), total: known.length },
  });

const one = '/v1/tools/mcp/servers/{mcp_server_name}';

const live = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listLiveTools',
      method: 'get',
      path: `${one}/tools`,
      tag: 'named',
      summary: 'Ask a server for its tools now',
      description: 'Nothing is stored. `health` of each tool tells whether models can use its schema.',
      query: agentQuery,
      answers: { 200: { description: 'The tools as the server sent them.', schema: z.array(liveToolSchema) } },
      errors: ['SERVER_NOT_FOUND', 'NOT_FOUND', ...UPSTREAM_ERRORS],
    },
    async ({ params, query }, c) => {
      const { id } = await serverByName(registry, params.mcp_server_name);
      const tools = await registry.listLiveTools(id, await reachFor(registry, c, query.agent_id));
      return c.json(tools.map(liveTool));
    },
  );

const resync = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'resyncNamedServer',
      method: 'post',
      path: `${one}/resync`,
      tag: 'named',
      summary: 'Read the tools of a server again',
      query: agentQuery,
      answers: { 200: { description: 'What was added, updated and deleted.', schema: syncReport } },
      errors: ['SERVER_NOT_FOUND', 'NOT_FOUND', ...UPSTREAM_ERRORS],
    },
    async ({ params, query }, c) => {
      const behalf = await behalfOf(registry, c, query.agent_id);
      const { id } = await serverByName(registry, params.mcp_server_name);
      return c.json(refreshed(await registry.syncServer(id, behalf)));
    },
  );

const offerTool = async (registry: Registry, serverName: string, toolName: string) => {
  const server = await serverByName(registry, serverName);
  let found = await toolByName(registry, server, toolName);
  if (found.tool === undefined) {
    refreshed(await registry.syncServer(server.id));
    found = await toolByName(registry, server, toolName);
  }
  if (found.tool === undefined) throw toolMissing(found.known);
  return found.tool.enabled ? found.tool : registry.updateTool(server.id, found.tool.id, { enabled: true });
};

const registerMembers = {
  method: 'post',
  tag: 'named',
  answers: { 200: { description: 'The tool.', schema: toolViewSchema } },
  errors: ['SERVER_NOT_FOUND', 'TOOL_NOT_FOUND', ...UPSTREAM_ERRORS],
} as const satisfies Partial<Operation>;

/** Under `tools/` no tool name can be taken for another route. */
const registerTool = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      ...registerMembers,
      id: 'registerNamedTool',
      path: `${one}/tools/{mcp_tool_name}`,
      summary: 'Offer one tool to agents',
      description:
        'If the tool is not known yet, the tools of the server are read again. Every name works, including `resync`.',
    },
    async ({ params }, c) => c.json(toolView(await offerTool(registry, params.mcp_server_name, params.mcp_tool_name))),
  );

const registerToolShort = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      ...registerMembers,
      id: 'registerNamedToolShort',
      path: `${one}/{mcp_tool_name}`,
      summary: 'Offer one tool to agents (short path)',
      description: 'A tool named `resync` is available only at `…/tools/resync`: at this path, the name is a route.',
    },
    async ({ params }, c) => c.json(toolView(await offerTool(registry, params.mcp_server_name, params.mcp_tool_name))),
  );

const execute = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'executeNamedTool',
      method: 'post',
      path: `${one}/tools/{mcp_tool_name}/execute`,
      tag: 'named',
      summary: 'Run a tool',
      query: agentQuery,
      body: toolRunRequest,
      bodyOptional: true,
      bodyExample: { args: { city: 'Oslo' } },
      answers: { 200: { description: 'What the tool returned.', schema: toolExecution } },
      errors: ['SERVER_NOT_FOUND', 'TOOL_NOT_FOUND', 'INVALID_ARGUMENT', 'PERMISSION_DENIED', ...UPSTREAM_ERRORS],
    },
    async ({ params, query, body }, c) => {
      const server = await serverByName(registry, params.mcp_server_name);
      const { tool, known } = await toolByName(registry, server, params.mcp_tool_name);
      if (tool === undefined) throw toolMissing(known);
      const result = await registry.callTool(
        server.id,
        tool.id,
        body.args ?? {},
        await reachFor(registry, c, query.agent_id),
      );
      return c.json(executionResult(result));
    },
  );

/** Order matters in one place: `resync` stands before the short path that would take it for a tool's name. */
export const namedServerToolRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [live, resync, registerTool, execute, registerToolShort].map((route) => route(admin));
