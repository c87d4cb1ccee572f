import {
  agentRequestOptions,
  type KeptAgent,
  modelRequest,
  PlugboardError,
  toolCallDecision,
} from '@plugboard/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import type { AgentModels, AgentQuestion } from '../../port/agent-models.js';
import type { AdminContext } from '../admin-context.js';
import { principalOf } from '../endpoint/admission.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { agentFor } from './agent-lookup.js';

const MODEL_ERRORS = [
  'NOT_FOUND',
  'INVALID_ARGUMENT',
  'UNRESOLVED_VARIABLES',
  'RATE_LIMITED',
  'MODEL_RATE_LIMITED',
  'MODEL_CONTEXT_EXCEEDED',
  'MODEL_AUTH',
  'MODEL_CREDITS',
  'MODEL_UNAVAILABLE',
  'CIRCUIT_OPEN',
  'MODEL_TIMEOUT',
  'MODEL_UNREACHABLE',
  'MODEL_FAILED',
  'MODEL_NOT_FOUND',
  'MODEL_BAD_REQUEST',
] as const;

const body = z.looseObject({
  model: z.string().min(1).describe('the name or id of an agent'),
  stream: z.boolean().nullish(),
  plugboard: agentRequestOptions.optional(),
});

const answer = z.looseObject({ id: z.string(), object: z.string(), model: z.string() });

const modelsOf = ({ models }: AdminContext): AgentModels => {
  if (models !== undefined) return models;
  throw new PlugboardError('NOT_FOUND', 'This hub serves no agents.', { hint: 'Send the request to a running hub.' });
};

const ask = (admin: AdminContext, c: Context, question: Pick<AgentQuestion, 'api' | 'body'>): Promise<Response> =>
  modelsOf(admin).answer({
    ...question,
    principal: principalOf(c),
    signal: c.req.raw.signal,
    agentOf: (idOrName) => agentFor(admin.registry, c, idOrName),
  });

const chat = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'createChatCompletion',
      method: 'post',
      path: '/v1/chat/completions',
      tag: 'agents',
      summary: 'Ask an agent, as OpenAI’s Chat Completions',
      description:
        'Clients of OpenAI work unchanged: `model` is the name of an agent that has a model. The agent calls its own tools; `tools` is rejected.',
      body,
      bodyExample: { model: 'researcher', messages: [{ role: 'user', content: 'What is new?' }], stream: true },
      answers: { 200: { description: 'A chat completion, or its chunks as server-sent events.', schema: answer } },
      errors: MODEL_ERRORS,
    },
    ({ body: given }, c) => ask(admin, c, { api: 'chat', body: given }),
  );

const respond = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'createResponse',
      method: 'post',
      path: '/v1/responses',
      tag: 'agents',
      summary: 'Ask an agent, as OpenAI’s Responses',
      description:
        'The hub does not store responses: `input` is the whole conversation, and `previous_response_id` is rejected.',
      body,
      bodyExample: { model: 'researcher', input: 'What is new?' },
      answers: { 200: { description: 'A response, or its events.', schema: answer } },
      errors: MODEL_ERRORS,
    },
    ({ body: given }, c) => ask(admin, c, { api: 'responses', body: given }),
  );

const pass = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'askModelProvider',
      method: 'post',
      path: '/v1/agents/{agent_id}/model-request',
      tag: 'agents',
      summary: 'Ask the provider of an agent’s model',
      description:
        'The hub sends the request with the key of the agent, which it does not reveal, and gives back the answer as it comes. The status and the headers of the provider are in `x-plugboard-model-status` and, as JSON, in `x-plugboard-model-headers`. Only paths of the API for models are allowed. No tool is called.',
      body: modelRequest,
      bodyExample: {
        method: 'POST',
        path: '/chat/completions',
        headers: { 'content-type': 'application/json' },
        body: '{"model":"gpt-4.1","messages":[{"role":"user","content":"Hi"}]}',
      },
      answers: { 200: { description: 'What the provider answered, in its own format.', schema: z.unknown() } },
      errors: [
        'NOT_FOUND',
        'INVALID_ARGUMENT',
        'UNRESOLVED_VARIABLES',
        'RATE_LIMITED',
        'MODEL_UNREACHABLE',
        'MODEL_FAILED',
      ],
    },
    async ({ params, body: request }, c) =>
      modelsOf(admin).pass({
        agent: await agentFor(admin.registry, c, params.agent_id),
        request,
        principal: principalOf(c),
        signal: c.req.raw.signal,
      }),
  );

const decide = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'decideToolCall',
      method: 'post',
      path: '/v1/chat/completions/{completion_id}/decision',
      tag: 'agents',
      summary: 'Allow or reject a call that an agent requests',
      description:
        'For answers that were asked for with `"plugboard": {"events": true, "approvals": true}`. The event `approval` names the call. Only the one who asked the agent decides. A call that is not decided within ten minutes is not made.',
      body: toolCallDecision,
      bodyExample: { call_id: 'call_1', approve: true },
      answers: { 204: { description: 'The agent continues.' } },
      errors: ['NOT_FOUND'],
    },
    ({ params, body: { call_id: callId, approve } }, c) => {
      const completionId = params.completion_id;
      modelsOf(admin).decide({ completionId, callId, approve, principal: principalOf(c) });
      return c.body(null, 204);
    },
  );

const listedModel = z.looseObject({ id: z.string(), object: z.literal('model') });

const listed = ({ name, created_at: createdAt }: Pick<KeptAgent, 'name' | 'created_at'>) => ({
  id: name,
  object: 'model',
  created: Math.floor(Date.parse(createdAt) / 1000),
  owned_by: 'plugboard',
});

const list = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listModels',
      method: 'get',
      path: '/v1/models',
      tag: 'agents',
      summary: 'List the agents that have a model, as OpenAI lists models',
      answers: {
        200: {
          description: 'The agents that the caller may ask.',
          schema: z.object({ object: z.literal('list'), data: z.array(listedModel) }),
        },
      },
      errors: [],
    },
    async (_input, c) => {
      const { role, agent: own } = principalOf(c);
      const agents = (await admin.registry.agents.list()).filter(
        ({ id, model }) => model !== undefined && model !== null && (role !== 'agent' || id === own),
      );
      return c.json({ object: 'list', data: agents.map(listed) });
    },
  );

const find = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'retrieveModel',
      method: 'get',
      path: '/v1/models/{model_id}',
      tag: 'agents',
      summary: 'Look up an agent that has a model, as OpenAI looks up models',
      answers: { 200: { description: 'The agent.', schema: listedModel } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => {
      const agent = await agentFor(admin.registry, c, params.model_id);
      if (agent.model !== undefined && agent.model !== null) return c.json(listed(agent));
      throw new PlugboardError('NOT_FOUND', `The agent "${agent.name}" has no model.`, {
        hint: 'Set its "model" with PATCH /v1/agents/{agent_id}.',
      });
    },
  );

export const agentModelRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [chat, respond, decide, pass, list, find].map((route) => route(admin));
