import { agent as agentSchema, agentCreate, agentUpdate, pageQuery } from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { answerPage, pageOf, pagedAnswer } from '../paging.js';
import { agentView } from '../view/agent-view.js';
import { agentFor } from './agent-lookup.js';

const all = '/v1/agents';
const one = `${all}/{agent_id}` as const;

const create = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'createAgent',
      method: 'post',
      path: all,
      tag: 'agents',
      summary: 'Create an agent',
      description:
        'An agent may use only the servers, toolsets and tools that it was given. Its variables fill in the templates of their configs. Create a key for it with POST /v1/keys.',
      body: agentCreate,
      bodyExample: { name: 'researcher', variables: { API_KEY: 'secret' } },
      answers: { 200: { description: 'The agent.', schema: agentSchema } },
      errors: ['CONFLICT', 'INVALID_ARGUMENT'],
    },
    async ({ body }, c) => c.json(agentView(await registry.agents.create(body))),
  );

const list = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listAgents',
      method: 'get',
      path: all,
      tag: 'agents',
      summary: 'List agents',
      description: 'Returns all entries, or one page if `limit` is given.',
      query: pageQuery,
      answers: pagedAnswer('The agents.', agentSchema),
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const page = await pageOf((part) => registry.agents.list(part), query);
      return answerPage(c, page, agentView);
    },
  );

const retrieve = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'retrieveAgent',
      method: 'get',
      path: one,
      tag: 'agents',
      summary: 'Show an agent',
      description: 'Values of variables are masked. An agent sees itself only.',
      answers: { 200: { description: 'The agent.', schema: agentSchema } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => c.json(agentView(await agentFor(registry, c, params.agent_id))),
  );

const update = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'updateAgent',
      method: 'patch',
      path: one,
      tag: 'agents',
      summary: 'Change an agent',
      description:
        'Omitted members do not change. A list, or `variables`, replaces the stored one. A masked value keeps the stored secret. With `if_updated_at`, only the state that you read is changed.',
      body: agentUpdate,
      bodyExample: { server_ids: ['mcp_server-00000000-0000-4000-8000-000000000000'] },
      answers: { 200: { description: 'The changed agent.', schema: agentSchema } },
      errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_ARGUMENT'],
    },
    async ({ params, body }, c) => c.json(agentView(await registry.agents.update(params.agent_id, body))),
  );

const remove = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'deleteAgent',
      method: 'delete',
      path: one,
      tag: 'agents',
      summary: 'Delete an agent',
      description: 'Its keys are revoked with it.',
      answers: { 204: { description: 'Deleted.' } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => {
      await registry.agents.delete(params.agent_id);
      return c.body(null, 204);
    },
  );

export const agentRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [create, list, retrieve, update, remove].map((route) => route(admin));
