/// <reference lib="esnext.disposable" />
import type { Agent, AgentModel, ServerView } from '@plugboard/contract';
import { DOUBLE_KEY, llmDouble, type LlmDouble } from '@plugboard/testing/llm';
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hubCall, hubCallWith } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import {
  DOUBLE_MODELS,
  doubleUrl,
  expectTaskDone,
  PROVIDER_VARIABLES,
  scriptTask,
  sumServer,
  taskServers,
} from '../../support/scripted-task.js';

const register = async (hub: RealHub, server_name: string, config: object): Promise<string> => {
  const { json, status } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config });
  expect(status).toBe(200);
  return (json as ServerView).id;
};

interface Setting {
  readonly hub: RealHub;
  readonly double: LlmDouble;
  /** The client of OpenAI, with a key of the agent. */
  readonly client: OpenAI;
  readonly agent: Agent;
}

const registerAll = async (hub: RealHub): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const [name, config] of Object.entries(await taskServers())) ids.push(await register(hub, name, config));
  return ids;
};

/** A hub with servers of three transports, and an agent with a model that may use all of them. */
const prepare = async (
  provider: AgentModel['provider'] = 'openai',
  more: Partial<AgentModel> = {},
  servers: 'all' | 'sum' = 'sum',
): Promise<Setting> => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const double = await llmDouble();
  onTestFinished(() => double.close());
  const server_ids = servers === 'all' ? await registerAll(hub) : [await register(hub, 'sum', await sumServer())];
  const base_url = doubleUrl(double, provider);
  const model = { provider, name: DOUBLE_MODELS[provider], base_url, instructions: 'Be brief.', ...more };
  const body = { name: 'helper', server_ids, variables: PROVIDER_VARIABLES[provider], model };
  const agent = (await hubCall(hub.url, 'POST', '/v1/agents', body)).json as Agent;
  const key = await hubCall(hub.url, 'POST', '/v1/keys', { name: 'helper', role: 'agent', agent_id: agent.id });
  const apiKey = (key.json as { key: string }).key;
  const client = new OpenAI({ apiKey, baseURL: `${hub.url}/v1`, maxRetries: 0 });
  return { hub, double, client, agent };
};

const expectSolved = ({ double }: Setting, answer: string | null | undefined): void => {
  expectTaskDone(double);
  expect(answer).toBe('Let me see.\n\nDone: three');
};

const ask = [{ role: 'user' as const, content: 'Do it.' }];

describe.each(Object.keys(DOUBLE_MODELS) as AgentModel['provider'][])('an agent with a model of %s', (provider) => {
  test('solves a task with servers of three transports, one of which is killed', async () => {
    const setting = await prepare(provider, {}, 'all');
    scriptTask(setting.double);
    const answer = await setting.client.chat.completions.create({ model: 'helper', messages: ask });
    expectSolved(setting, answer.choices[0]?.message.content);
    expect(answer).toMatchObject({ model: 'helper', choices: [{ finish_reason: 'stop' }] });
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
    expect(JSON.stringify(setting.double.requests[0]?.body)).toContain('Be brief.');
  });
});

describe('stock clients of OpenAI', () => {
  test('stream a chat completion: one finish, last, then the usage', async () => {
    const setting = await prepare('openai', {}, 'all');
    scriptTask(setting.double);
    const stream = await setting.client.chat.completions.create({
      model: 'helper',
      messages: [{ role: 'system', content: 'Speak like a sailor.' }, ...ask],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expectSolved(setting, chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''));
    expect(chunks.filter(({ choices }) => (choices[0]?.finish_reason ?? null) !== null)).toHaveLength(1);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
    expect(chunks.some((chunk) => 'plugboard' in chunk)).toBe(false);
    expect(JSON.stringify(setting.double.requests[0]?.body)).toContain('Speak like a sailor.');
  });

  test('see the tools at work when they ask for events', async () => {
    const { client, double } = await prepare();
    double.next({ toolCalls: [{ id: 'x', name: 'add', arguments: { a: 1, b: 1 } }] }, { text: 'Two.' });
    const body = { model: 'helper', messages: ask, stream: true as const, plugboard: { events: true } };
    const events: unknown[] = [];
    for await (const chunk of await client.chat.completions.create(body)) {
      if ('plugboard' in chunk) events.push(chunk.plugboard);
    }
    expect(events).toMatchObject([
      { type: 'turn', turn: 1 },
      { type: 'tool-call', id: 'x', name: 'add', server: 'sum' },
      { type: 'tool-result', id: 'x', isError: false },
      { type: 'turn', turn: 2 },
      { type: 'done', run: { end: 'finished', turns: 2, toolCalls: 1 } },
    ]);
  });

  test('use Responses, whole and streamed', async () => {
    const setting = await prepare('openai', {}, 'all');
    scriptTask(setting.double);
    const whole = await setting.client.responses.create({ model: 'helper', input: 'Do it.', instructions: 'Hurry.' });
    expectSolved(setting, whole.output_text);
    setting.double.next({ text: 'Good.' });
    const stream = setting.client.responses.stream({ model: 'helper', input: [{ role: 'user', content: 'And now?' }] });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect((await stream.finalResponse()).output_text).toBe('Good.');
    expect(types[0]).toBe('response.created');
    expect(types.at(-1)).toBe('response.completed');
  });

  test('list agents as models', async () => {
    const { client, hub } = await prepare();
    await hubCall(hub.url, 'POST', '/v1/agents', { name: 'silent' });
    const models: string[] = [];
    for await (const { id } of client.models.list()) models.push(id);
    expect(models).toEqual(['helper']);
    expect(await client.models.retrieve('helper')).toMatchObject({ id: 'helper', owned_by: 'plugboard' });
    await expect(client.models.retrieve('silent')).rejects.toMatchObject({ status: 404 });
  });
});

describe('what goes wrong', () => {
  test.each([
    ['an unknown agent', { model: 'nobody', messages: ask }, 404, 'NOT_FOUND'],
    ['tools of the client', { model: 'helper', messages: ask, tools: [{ type: 'function' }] }, 400, 'INVALID_ARGUMENT'],
    ['no messages', { model: 'helper', messages: [] }, 400, 'INVALID_ARGUMENT'],
    ['several answers', { model: 'helper', messages: ask, n: 2 }, 400, 'INVALID_ARGUMENT'],
  ])('%s', async (_, body, status, code) => {
    const { client } = await prepare();
    await expect(client.chat.completions.create(body as never)).rejects.toMatchObject({ status, code });
  });

  test('failures of the provider have a status, also for a stream that has not begun', async () => {
    const { client, double } = await prepare();
    double.always({ fault: { status: 401 } });
    const failure = { status: 502, code: 'MODEL_AUTH' };
    await expect(client.chat.completions.create({ model: 'helper', messages: ask })).rejects.toMatchObject(failure);
    const stream = client.chat.completions.create({ model: 'helper', messages: ask, stream: true });
    await expect(stream).rejects.toMatchObject(failure);
  });

  test('a provider that keeps failing is not asked for a while, and the client is told how long to wait', async () => {
    const { client, double } = await prepare();
    // A limit of an hour, so that no attempt waits.
    double.always({ fault: { status: 429, headers: { 'retry-after': '3600' } } });
    const failed = async () => {
      const question = { model: 'helper', messages: ask };
      const thrown: unknown = await client.chat.completions.create(question).catch((error: unknown) => error);
      return thrown as InstanceType<typeof OpenAI.APIError>;
    };
    const first = await failed();
    expect([first.code, first.headers?.get('retry-after')]).toEqual(['MODEL_RATE_LIMITED', '3600']);
    const wait = async (): Promise<number> => {
      const { code, headers } = await failed();
      return code === 'CIRCUIT_OPEN' ? Number(headers?.get('retry-after')) : 0;
    };
    await expect.poll(wait, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
  });

  test('a failure in the middle of a stream reaches the client', async () => {
    const { client, double } = await prepare();
    double.next({ text: 'a text that is long enough', fault: { cutAfter: 3 } });
    const stream = await client.chat.completions.create({ model: 'helper', messages: ask, stream: true });
    const read = async (): Promise<void> => {
      for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
    };
    await expect(read()).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' });
  });

  test('an agent without a model, without a key, and one that another agent asks', async () => {
    const { client, hub } = await prepare();
    await hubCall(hub.url, 'POST', '/v1/agents', { name: 'silent' });
    await expect(client.chat.completions.create({ model: 'silent', messages: ask })).rejects.toMatchObject({
      status: 404,
    });
    const asOwner = hubCallWith(hub.url, hub.key);
    const silent = await asOwner('POST', '/v1/chat/completions', { model: 'silent', messages: ask });
    expect([silent.status, JSON.stringify(silent.json)]).toEqual([400, expect.stringContaining('has no model')]);
    await asOwner('PATCH', '/v1/agents/silent', { model: { provider: 'anthropic', name: 'claude-sonnet-4-5' } });
    const keyless = await asOwner('POST', '/v1/chat/completions', { model: 'silent', messages: ask });
    expect(keyless.json).toMatchObject({ error: { code: 'UNRESOLVED_VARIABLES' } });
  });

  test('an address that the hub may not reach is refused', async () => {
    const { client } = await prepare('openai', { base_url: 'http://169.254.169.254/v1' });
    await expect(client.chat.completions.create({ model: 'helper', messages: ask })).rejects.toMatchObject({
      code: 'URL_REFUSED',
    });
  });

  test('a rule against destructive tools holds, and the model is told', async () => {
    const { client, double } = await prepare('openai', { approval: 'destructive' }, 'all');
    double.next({ toolCalls: [{ name: 'echo', arguments: { text: 'one' } }] });
    double.next(({ toolResults }) => ({ text: toolResults.join() }));
    const answer = await client.chat.completions.create({ model: 'helper', messages: ask });
    expect(answer.choices[0]?.message.content).toContain('did not allow');
  });
});

test('the audit log names the key that asked and the agent that called', async () => {
  const { hub, agent, client, double } = await prepare();
  const call = { toolCalls: [{ name: 'add', arguments: { a: 1, b: 1 } }] };
  double.next(call, { text: 'Two.' }, call, { text: 'Two.' });
  await client.chat.completions.create({ model: 'helper', messages: ask });
  const asOwner = hubCallWith(hub.url, hub.key);
  await asOwner('POST', '/v1/chat/completions', { model: 'helper', messages: ask });
  const keys = (await asOwner('GET', '/v1/keys')).json as readonly { id: string; name: string }[];
  const { json } = await asOwner('GET', '/v1/audit?kind=call');
  const entries = json as readonly { actor: string; target: string; details: object }[];
  const details = expect.objectContaining({ agent: agent.id }) as object;
  expect(entries).toMatchObject([
    { actor: 'local', target: 'sum/add', details },
    { actor: keys.find(({ name }) => name === 'helper')?.id, target: 'sum/add', details },
  ]);
});

test('keys of providers are masked, and a run ends when its client leaves', async () => {
  const { agent, hub, client, double } = await prepare();
  expect(JSON.stringify(agent)).not.toContain(DOUBLE_KEY);
  expect(agent.model).toMatchObject({ provider: 'openai', name: 'gpt-double' });
  double.always({ text: 'a very long text '.repeat(50), fault: { everyMs: 5 } });
  const stream = await client.chat.completions.create({ model: 'helper', messages: ask, stream: true });
  for await (const _ of stream) break;
  const later = await hubCall(hub.url, 'GET', '/v1/models');
  expect(later.status).toBe(200);
});
