import {
  pageQuery,
  toolApproval,
  toolRunRequest,
  toolRunResult,
  toolUpdate,
  toolView as toolViewSchema,
} from '@plugboard/contract';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { agentQuery } from '../input/agent-query.js';
import { behalfOf } from '../endpoint/on-behalf.js';
import { UPSTREAM_ERRORS } from '../endpoint/upstream-errors.js';
import { announceNext, pageOf } from '../paging.js';
import { runResult } from '../view/run-result.js';
import { toolView } from '../view/tool-view.js';

const all = '/v1/mcp-servers/{mcp_server_id}/tools';
const one = `${all}/{tool_id}` as const;

const list = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listServerTools',
      method: 'get',
      path: all,
      tag: 'tools',
      summary: 'List the tools of a server',
      description: 'As last synced: the server itself is not asked. All of them, or one page when `limit` is given.',
      query: pageQuery,
      answers: {
        200: {
          description: 'The tools.',
          schema: z.array(toolViewSchema),
          headers: { Link: 'The next page, when there is one.', 'X-Next-After': 'What `after` is on the next page.' },
        },
      },
      errors: ['SERVER_NOT_FOUND', 'INVALID_ARGUMENT'],
    },
    async ({ params, query }, c) => {
      const { id: serverId } = await registry.getServer(params.mcp_server_id);
      const page = await pageOf((part) => registry.listTools({ serverId }, part), query);
      announceNext(c, page);
      return c.json(page.entries.map(toolView));
    },
  );

const retrieve = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'retrieveServerTool',
      method: 'get',
      path: one,
      tag: 'tools',
      summary: 'Show a tool of a server',
      answers: { 200: { description: 'The tool.', schema: toolViewSchema } },
      errors: ['SERVER_NOT_FOUND', 'TOOL_NOT_FOUND'],
    },
    async ({ params }, c) => c.json(toolView(await registry.getTool(params.mcp_server_id, params.tool_id))),
  );

const update = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'updateServerTool',
      method: 'patch',
      path: one,
      tag: 'tools',
      summary: 'Enable, disable or tag a tool',
      body: toolUpdate,
      bodyExample: { enabled: false, tags: ['risky'] },
      answers: { 200: { description: 'The tool as it is now.', schema: toolViewSchema } },
      errors: ['SERVER_NOT_FOUND', 'TOOL_NOT_FOUND', 'INVALID_ARGUMENT'],
    },
    async ({ params, body }, c) =>
      c.json(toolView(await registry.updateTool(params.mcp_server_id, params.tool_id, body))),
  );

const approve = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'approveServerTool',
      method: 'post',
      path: `${one}/approve`,
      tag: 'tools',
      summary: 'Approve how a tool changed',
      description:
        'A tool whose instructions or arguments changed is kept from agents; `quarantine` of the tool says how it changed. With `contract_hash`, only the definition with that hash is approved.',
      body: toolApproval,
      bodyOptional: true,
      bodyExample: { contract_hash: '9f86d081884c7d65…' },
      answers: { 200: { description: 'The tool as it is now.', schema: toolViewSchema } },
      errors: ['SERVER_NOT_FOUND', 'TOOL_NOT_FOUND', 'CONFLICT'],
    },
    async ({ params, body }, c) =>
      c.json(toolView(await registry.approveTool(params.mcp_server_id, params.tool_id, body))),
  );

const run = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'runServerTool',
      method: 'post',
      path: `${one}/run`,
      tag: 'tools',
      summary: 'Run a tool',
      description:
        'When the tool itself reports an error, the status is still 200: `status` is `error` and `func_return` has its text. The whole MCP result is in `result`.',
      query: agentQuery,
      body: toolRunRequest,
      bodyOptional: true,
      bodyExample: { args: { city: 'Oslo' } },
      answers: { 200: { description: 'What the tool returned.', schema: toolRunResult } },
      errors: ['SERVER_NOT_FOUND', 'TOOL_NOT_FOUND', 'INVALID_ARGUMENT', 'PERMISSION_DENIED', ...UPSTREAM_ERRORS],
    },
    async ({ params, query, body }, c) => {
      const { id, server_id: serverId } = await registry.getTool(params.mcp_server_id, params.tool_id);
      const options = { ...(await behalfOf(registry, c, query.agent_id)), signal: c.req.raw.signal };
      return c.json(runResult(await registry.callTool(serverId, id, body.args ?? {}, options)));
    },
  );

export const serverToolRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [list, retrieve, update, approve, run].map((route) => route(admin));
