import { agent as agentSchema, agentCreate, agentUpdate, pageQuery } from '@plugboard/contract';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { announceNext, pageOf } from '../paging.js';
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
      summary: 'Make an agent',
      description:
        'A caller of tools: it may use only the servers, toolsets and tools that it was given, and its variables fill the templates of their configs. Make it a key with POST /v1/keys.',
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
      description: 'All of them, or one page when `limit` is given.',
      query: pageQuery,
      answers: {
        200: {
          description: 'The agents.',
          schema: z.array(agentSchema),
          headers: { Link: 'The next page, when there is one.', 'X-Next-After': 'What `after` is on the next page.' },
        },
      },
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const page = await pageOf((part) => registry.agents.list(part), query);
      announceNext(c, page);
      return c.json(page.entries.map(agentView));
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
        'What is left out stays; a list or `variables` replaces the whole, and a masked value that is sent back as it was read stays.',
      body: agentUpdate,
      bodyExample: { server_ids: ['mcp_server-00000000-0000-4000-8000-000000000000'] },
      answers: { 200: { description: 'The agent as it is now.', schema: agentSchema } },
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
