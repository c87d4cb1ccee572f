import { syncQuery, syncReport } from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { UPSTREAM_ERRORS } from '../endpoint/upstream-errors.js';
import { behalfOf } from '../endpoint/on-behalf.js';
import { agentQuery } from '../input/agent-query.js';
import { refreshed } from '../view/refreshed.js';

const refresh = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'refreshServer',
      method: 'patch',
      path: '/v1/mcp-servers/{mcp_server_id}/refresh',
      tag: 'servers',
      summary: 'Read the tools of a server again',
      description: 'If the tools cannot be read, this fails with the reason and changes nothing.',
      query: agentQuery,
      answers: { 200: { description: 'What was added, updated and deleted.', schema: syncReport } },
      errors: ['SERVER_NOT_FOUND', 'NOT_FOUND', ...UPSTREAM_ERRORS],
    },
    async ({ params, query }, c) => {
      const behalf = await behalfOf(registry, c, query.agent_id);
      return c.json(refreshed(await registry.syncServer(params.mcp_server_id, { ...behalf, byHand: true })));
    },
  );

const sync = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'syncServer',
      method: 'post',
      path: '/v1/mcp-servers/{mcp_server_id}/sync',
      tag: 'servers',
      summary: 'Sync a server and get the whole report',
      description:
        'Returns 200 even if the tools could not be read: `status` is then `failed`, and `error` has the reason. With `dry_run=true` nothing is changed.',
      query: syncQuery.extend(agentQuery.shape),
      answers: { 200: { description: 'The report.', schema: syncReport } },
      errors: ['SERVER_NOT_FOUND', 'NOT_FOUND'],
    },
    async ({ params, query }, c) => {
      const behalf = await behalfOf(registry, c, query.agent_id);
      return c.json(
        await registry.syncServer(params.mcp_server_id, { dryRun: query.dry_run, ...behalf, byHand: true }),
      );
    },
  );

export const serverSyncRoutes = (admin: AdminContext): readonly Endpoint[] => [refresh(admin), sync(admin)];
