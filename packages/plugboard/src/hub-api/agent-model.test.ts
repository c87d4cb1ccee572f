import { describe, expect, it } from 'vitest';
import { PlugboardError } from '@plugboard/contract';
import { fakeHub } from '../test-support/fake-hub.js';
import { agentModelFetch, readAgentModel } from './agent-model.js';

const PATH = '/v1/agents/a%20b/model-request';
const baseUrl = 'https://api.test/v1';

const answered = (status: number, body: string | null, headers: readonly (readonly [string, string])[] = []) => ({
  [PATH]: () =>
    new Response(body, {
      headers: { 'x-plugboard-model-status': String(status), 'x-plugboard-model-headers': JSON.stringify(headers) },
    }),
});

describe('a fetch through the hub', () => {
  it('sends the path below the base address, and gives the status, the headers and the body of the provider', async () => {
    const hub = fakeHub({ answers: answered(429, 'slow down', [['retry-after', '7']]) });
    const get = agentModelFetch(hub.api, 'a b', { baseUrl: `${baseUrl}/` });
    const answer = await get(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer hub', 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([429, '7', 'slow down']);
    expect(hub.seen).toEqual([
      {
        method: 'POST',
        path: PATH,
        body: {
          method: 'POST',
          path: '/chat/completions',
          headers: { 'content-type': 'application/json' },
          body: '{"a":1}',
        },
      },
    ]);
  });

  it('keeps a key that is meant, sends forms as text, and no body with GET', async () => {
    const hub = fakeHub({ answers: answered(204, null) });
    const get = agentModelFetch(hub.api, 'a b', { baseUrl, keepKeys: true });
    const form = new FormData();
    form.set('purpose', 'batch');
    await get(`${baseUrl}/files`, { method: 'POST', headers: { 'x-api-key': 'wrong' }, body: form });
    expect((await get(new Request(`${baseUrl}/models`))).status).toBe(204);
    expect(hub.seen.map(({ body }) => body)).toMatchObject([
      {
        headers: { 'x-api-key': 'wrong', 'content-type': expect.stringContaining('multipart/form-data') as string },
        body: expect.stringContaining('name="purpose"') as string,
      },
      { method: 'GET', path: '/models', headers: {} },
    ]);
    expect(hub.seen[1]?.body).not.toHaveProperty('body');
  });

  it('fails as a fetch does when nobody answers, and else with the error of the hub', async () => {
    const failing = (code: 'MODEL_UNREACHABLE' | 'RATE_LIMITED') =>
      fakeHub({
        answers: {
          [PATH]: () => {
            throw new PlugboardError(code, 'No.');
          },
        },
      });
    const ask = (code: 'MODEL_UNREACHABLE' | 'RATE_LIMITED') =>
      agentModelFetch(failing(code).api, 'a b', { baseUrl })(`${baseUrl}/models`);
    await expect(ask('MODEL_UNREACHABLE')).rejects.toThrow(TypeError);
    await expect(ask('RATE_LIMITED')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});

it('an agent without a model says how to set one', async () => {
  const agent = {
    id: 'agent-00000000-0000-4000-8000-000000000001',
    name: 'a',
    description: null,
    variables: {},
    server_ids: [],
    toolset_ids: [],
    allow_tool_ids: [],
    deny_tool_ids: [],
    model: null,
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
  };
  const hub = fakeHub({ answers: { '/v1/agents/a': agent } });
  await expect(readAgentModel(hub.api, 'a')).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    hint: expect.anything() as unknown,
  });
});
