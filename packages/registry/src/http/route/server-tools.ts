import {
  pageQuery,
  serverOffer,
  toolAdaptation,
  toolApproval,
  toolRunRequest,
  toolRunResult,
  toolUpdate,
  toolView as toolViewSchema,
} from '@plugboard/contract';
import { PROFILE_IDS } from '@plugboard/schema';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { agentQuery } from '../input/agent-query.js';
import { reachFor } from '../endpoint/on-behalf.js';
import { UPSTREAM_ERRORS } from '../endpoint/upstream-errors.js';
import { answerPage, pageOf, pagedAnswer } from '../paging.js';
import { runResult } from '../view/run-result.js';
import { toolAdaptationView } from '../view/tool-adaptation-view.js';
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
      description:
        'Returns the tools as of the last sync, without a request to the server: all of them, or one page if `limit` is given.',
      query: pageQuery,
      answers: pagedAnswer('The tools.', toolViewSchema),
      errors: ['SERVER_NOT_FOUND', 'INVALID_ARGUMENT'],
    },
    async ({ params, query }, c) => {
      const { id: serverId } = await registry.getServer(params.mcp_server_id);
      const page = await pageOf((part) => registry.listTools({ serverId }, part), query);
      return answerPage(c, page, toolView);
    },
  );

const offer = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'readServerOffer',
      method: 'get',
      path: '/v1/mcp-servers/{mcp_server_id}/offer',
      tag: 'tools',
      summary: 'Ask a server for its tools and instructions now',
      description: 'What `plugboard lock` pins. Nothing is stored.',
      query: agentQuery,
      answers: { 200: { description: 'What the server offers.', schema: serverOffer } },
      errors: ['SERVER_NOT_FOUND', 'NOT_FOUND', ...UPSTREAM_ERRORS],
    },
    async ({ params, query }, c) =>
      c.json(await registry.readOffer(params.mcp_server_id, await reachFor(registry, c, query.agent_id))),
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

const adaptationQuery = z.object({ provider: z.enum(PROFILE_IDS).describe('a provider profile') });

const adapt = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'adaptServerTool',
      method: 'get',
      path: `${one}/adaptation`,
      tag: 'tools',
      summary: 'Show a tool as a model provider takes it',
      description: 'The definition after the rewrites for one provider profile, with every change and its reason.',
      query: adaptationQuery,
      answers: { 200: { description: 'The tool for this provider.', schema: toolAdaptation } },
      errors: ['SERVER_NOT_FOUND', 'TOOL_NOT_FOUND'],
    },
    async ({ params, query }, c) =>
      c.json(toolAdaptationView(await registry.getTool(params.mcp_server_id, params.tool_id), query.provider)),
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
      answers: { 200: { description: 'The changed tool.', schema: toolViewSchema } },
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
      summary: 'Approve the changes of a tool',
      description:
        'A tool whose instructions or arguments changed is held; `quarantine` of the tool lists the changes. With `contract_hash`, only the definition with that hash is approved.',
      body: toolApproval,
      bodyOptional: true,
      bodyExample: { contract_hash: '9f86d081884c7d65…' },
      answers: { 200: { description: 'The changed tool.', schema: toolViewSchema } },
      errors: ['SERVER_NOT_FOUND', 'TOOL_NOT_FOUND', 'CONFLICT'],
    },
    async ({ params, body }, c) =>
      c.json(toolView(await registry.approveTool(params.mcp_server_id, params.tool_id, body))),
  );

const reject = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'rejectServerTool',
      method: 'post',
      path: `${one}/reject`,
      tag: 'tools',
      summary: 'Reject the changes of a tool',
      description:
        'The tool stays held, and no longer waits for a decision: `quarantine.rejected_at` says since when. It waits again when its server changes it again, is offered again when the server returns to the accepted definition, and can still be approved. With `contract_hash`, only the definition with that hash is rejected.',
      body: toolApproval,
      bodyOptional: true,
      bodyExample: { contract_hash: '9f86d081884c7d65…' },
      answers: { 200: { description: 'The changed tool.', schema: toolViewSchema } },
      errors: ['SERVER_NOT_FOUND', 'TOOL_NOT_FOUND', 'INVALID_ARGUMENT', 'CONFLICT'],
    },
    async ({ params, body }, c) =>
      c.json(toolView(await registry.rejectTool(params.mcp_server_id, params.tool_id, body))),
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
      const options = await reachFor(registry, c, query.agent_id);
      return c.json(runResult(await registry.callTool(serverId, id, body.args ?? {}, options)));
    },
  );

export const serverToolRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [offer, list, retrieve, adapt, update, approve, reject, run].map((route) => route(admin));
