import {
  agent as agentSchema,
  grantOf,
  PlugboardError,
  toolRunRequest,
  toolRunResult,
  toolView as toolViewSchema,
  type KeptAgent,
  type Tool,
  type ToolId,
} from '@plugboard/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Registry } from '../../facade/registry.js';
import type { AdminContext } from '../admin-context.js';
import { principalOf } from '../endpoint/admission.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { reachFor } from '../endpoint/on-behalf.js';
import { UPSTREAM_ERRORS } from '../endpoint/upstream-errors.js';
import { agentView } from '../view/agent-view.js';
import { runResult } from '../view/run-result.js';
import { toolView } from '../view/tool-view.js';
import { agentFor } from './agent-lookup.js';

const tools = '/v1/agents/{agent_id}/tools';

/** What an agent may call, and no more than the one who asks may. */
const toolsOf = async (registry: Registry, c: Context, agent: KeptAgent): Promise<readonly Tool[]> => {
  const { servers } = principalOf(c);
  const grant = grantOf(
    { id: agent.id, role: 'agent', agent: agent.id, servers },
    agent,
    await registry.toolsets.list(),
  );
  return (await registry.listTools()).filter((tool) => tool.enabled && grant?.allowsTool(tool) !== false);
};

const notAttached = (known: readonly Tool[]): PlugboardError =>
  new PlugboardError('TOOL_NOT_FOUND', 'The agent has no tool with this name.', {
    hint: 'Give the agent the tool, its server, or a toolset that contains it.',
    details: { known: known.slice(0, 50).map(({ name }) => name) },
  });

const toolNamed = (known: readonly Tool[], name: string): Tool => {
  const exact = known.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const [tool, other] = known.filter(({ upstream_name }) => upstream_name === name);
  if (tool === undefined) throw notAttached(known);
  if (other === undefined) return tool;
  throw new PlugboardError('CONFLICT', `Several servers of the agent have a tool named "${name}".`, {
    hint: `Call it as ${tool.name} or ${other.name}.`,
  });
};

const list = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listAgentTools',
      method: 'get',
      path: tools,
      tag: 'agents',
      summary: 'List what an agent may call',
      answers: { 200: { description: 'The tools.', schema: z.array(toolViewSchema) } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => {
      const agent = await agentFor(registry, c, params.agent_id);
      return c.json((await toolsOf(registry, c, agent)).map(toolView));
    },
  );

const without = (ids: readonly ToolId[], id: string): ToolId[] => ids.filter((other) => other !== id);

const requireTool = async (registry: Registry, id: string): Promise<Tool> => {
  const found = (await registry.listTools()).find((tool) => tool.id === id);
  if (found !== undefined) return found;
  throw new PlugboardError('TOOL_NOT_FOUND', 'There is no tool with this id.', {
    hint: { api: 'GET /v1/tools lists them.', cli: '`plugboard tools` shows them.' },
  });
};

/** Allows or denies one tool to an agent, whatever was decided about it before. Decisions at the same time all count. */
const decideTool = async (
  registry: Registry,
  params: { readonly agent_id: string; readonly tool_id: string },
  decision: 'allow' | 'deny',
): Promise<KeptAgent> => {
  const { id } = await requireTool(registry, params.tool_id);
  return registry.agents.update(params.agent_id, ({ allow_tool_ids, deny_tool_ids }) => {
    const [allowed, denied] = [without(allow_tool_ids, id), without(deny_tool_ids, id)];
    return {
      allow_tool_ids: decision === 'allow' ? [...allowed, id] : allowed,
      deny_tool_ids: decision === 'deny' ? [...denied, id] : denied,
    };
  });
};

const attach = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'attachAgentTool',
      method: 'patch',
      path: `${tools}/attach/{tool_id}`,
      tag: 'agents',
      summary: 'Give an agent a tool',
      answers: { 200: { description: 'The changed agent.', schema: agentSchema } },
      errors: ['NOT_FOUND', 'TOOL_NOT_FOUND'],
    },
    async ({ params }, c) => c.json(agentView(await decideTool(registry, params, 'allow'))),
  );

const detach = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'detachAgentTool',
      method: 'patch',
      path: `${tools}/detach/{tool_id}`,
      tag: 'agents',
      summary: 'Remove a tool from an agent',
      description: 'The tool is denied from now on, even if a server or a toolset of the agent grants it.',
      answers: { 200: { description: 'The changed agent.', schema: agentSchema } },
      errors: ['NOT_FOUND', 'TOOL_NOT_FOUND'],
    },
    async ({ params }, c) => c.json(agentView(await decideTool(registry, params, 'deny'))),
  );

const run = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'runAgentTool',
      method: 'post',
      path: `${tools}/{tool_name}/run`,
      tag: 'agents',
      summary: 'Run a tool as an agent',
      description:
        'Uses the variables of the agent. When the tool itself reports an error, the status is still 200: `status` is `error` and `func_return` has its text.',
      body: toolRunRequest,
      bodyOptional: true,
      bodyExample: { args: { city: 'Oslo' } },
      answers: { 200: { description: 'What the tool returned.', schema: toolRunResult } },
      errors: ['NOT_FOUND', 'TOOL_NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED', ...UPSTREAM_ERRORS],
    },
    async ({ params, body }, c) => {
      const agent = await agentFor(registry, c, params.agent_id);
      const tool = toolNamed(await toolsOf(registry, c, agent), params.tool_name);
      const options = await reachFor(registry, c, agent.id);
      return c.json(runResult(await registry.callTool(tool.server_id, tool.id, body.args ?? {}, options)));
    },
  );

export const agentToolRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [list, attach, detach, run].map((route) => route(admin));
