import type { Agent, Principal } from '@plugboard/contract';
import { expect, it } from 'vitest';
import type { AgentQuestion, ApprovalDecision, ModelPassage } from '../port/agent-models.js';
import { adminFixture } from './test-support/admin-fixture.js';

const model = { provider: 'anthropic', name: 'claude-sonnet-4-5', max_turns: 5 } as const;

const openRig = async () => {
  const asked: AgentQuestion[] = [];
  const decided: ApprovalDecision[] = [];
  const passed: ModelPassage[] = [];
  const pass = async (passage: ModelPassage): Promise<Response> => {
    passed.push(passage);
    return Response.json({ said: 'pong' }, { headers: { 'x-plugboard-model-status': '418' } });
  };
  const answer = async (question: AgentQuestion): Promise<Response> => {
    asked.push(question);
    const { name } = await question.agentOf(String(question.body['model']));
    return Response.json({ id: 'x', object: question.api, model: name });
  };
  let principal: Principal = { id: 'local', role: 'admin' };
  const fixture = await adminFixture(
    {},
    { models: { answer, pass, decide: (decision) => void decided.push(decision) }, admit: () => principal },
  );
  const made = await fixture.call('POST', '/v1/agents', { name: 'helper', model });
  return {
    ...fixture,
    asked,
    decided,
    passed,
    agent: made.body as Agent,
    become: (other: Principal) => (principal = other),
  };
};

it('questions reach the port with the one who asks, in both words', async () => {
  const { call, asked, agent } = await openRig();
  expect(agent.model).toEqual(model);
  const chat = await call('POST', '/v1/chat/completions', { model: 'helper', messages: [], extra: 1 });
  expect([chat.status, chat.body]).toEqual([200, { id: 'x', object: 'chat', model: 'helper' }]);
  expect((await call('POST', '/v1/responses', { model: agent.id, input: 'Hi' })).body).toMatchObject({
    object: 'responses',
  });
  expect(asked).toMatchObject([
    { api: 'chat', body: { extra: 1 }, principal: { role: 'admin' } },
    { api: 'responses' },
  ]);
});

it('an agent asks itself only, and sees itself only', async () => {
  const { call, agent, become } = await openRig();
  await call('POST', '/v1/agents', { name: 'other', model });
  await call('POST', '/v1/agents', { name: 'silent' });
  const names = async () =>
    ((await call('GET', '/v1/models')).body as { data: { id: string }[] }).data.map(({ id }) => id);
  expect((await names()).toSorted()).toEqual(['helper', 'other']);
  become({ id: 'key-1', role: 'agent', agent: agent.id });
  expect(await names()).toEqual(['helper']);
  expect((await call('GET', '/v1/models/helper')).body).toMatchObject({ id: 'helper', object: 'model' });
  expect((await call('GET', '/v1/models/other')).status).toBe(404);
  expect((await call('POST', '/v1/chat/completions', { model: 'helper' })).status).toBe(200);
  expect((await call('POST', '/v1/chat/completions', { model: 'other' })).status).toBe(404);
});

it('an agent without a model is no model', async () => {
  const { call } = await openRig();
  await call('POST', '/v1/agents', { name: 'silent' });
  expect((await call('GET', '/v1/models/silent')).body).toMatchObject({
    error: { code: 'NOT_FOUND', message: 'The agent "silent" has no model.' },
  });
});

it('a decision about a call reaches the port with the one who decides', async () => {
  const { call, decided } = await openRig();
  const path = '/v1/chat/completions/chatcmpl-1/decision';
  expect((await call('POST', path, { call_id: 'call_1', approve: true })).status).toBe(204);
  expect(decided).toEqual([
    { completionId: 'chatcmpl-1', callId: 'call_1', approve: true, principal: { id: 'local', role: 'admin' } },
  ]);
  expect((await call('POST', path, { call_id: 'call_1' })).status).toBe(422);
});

it('the model of an agent is checked, changed and removed', async () => {
  const { call, agent } = await openRig();
  const one = `/v1/agents/${agent.id}`;
  for (const wrong of [
    { provider: 'mine', name: 'x' },
    { ...model, base_url: 'file:///etc' },
    { ...model, more: 1 },
  ]) {
    expect((await call('PATCH', one, { model: wrong })).status).toBe(422);
  }
  expect((await call('PATCH', one, { description: 'x' })).body).toMatchObject({ model });
  expect((await call('PATCH', one, { model: null })).body).toMatchObject({ model: null });
});

it('a hub that answers for no agents says so', async () => {
  const { call } = await adminFixture();
  expect((await call('POST', '/v1/chat/completions', { model: 'helper' })).status).toBe(404);
});

it('a request to the provider reaches the port with its agent, and a path that is none does not', async () => {
  const { call, passed, agent } = await openRig();
  const request = { method: 'POST', path: '/v1/messages', headers: { accept: 'text/plain' }, body: '{}' };
  expect(await call('POST', '/v1/agents/helper/model-request', request)).toMatchObject({ status: 200 });
  expect(passed).toMatchObject([{ agent: { id: agent.id }, request, principal: { role: 'admin' } }]);
  for (const wrong of [
    { ...request, path: 'v1' },
    { ...request, method: 'DELETE' },
    { ...request, url: 'x' },
  ]) {
    expect((await call('POST', '/v1/agents/helper/model-request', wrong)).status).toBe(422);
  }
  expect((await call('POST', '/v1/agents/nobody/model-request', request)).status).toBe(404);
  expect(passed).toHaveLength(1);
});
