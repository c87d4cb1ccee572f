import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Secret } from '@plugboard/contract';
import {
  type Era,
  fakeServer,
  type FakeServer,
  type JsonObject,
  META,
  rawHttpClient,
  taskServer,
} from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from './rig.js';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const RELATED = 'io.modelcontextprotocol/related-task';
const ERAS: readonly Era[] = ['legacy', 'modern'];

let hub: RealHub;
let plain: FakeServer;
let servers: Readonly<Record<Era, FakeServer>>;

beforeAll(async () => {
  servers = { legacy: taskServer('legacy'), modern: taskServer('modern') };
  hub = await startRealHub();
  for (const era of ERAS) await addServer(hub, era, httpConfig((await servers[era].listenHttp()).url));
  plain = fakeServer({ tools: ['echo'] });
  await addServer(hub, 'plain', httpConfig((await plain.listenHttp()).url));
  const listed = await hubCall(hub.url, 'GET', '/v1/mcp-servers');
  const made = await hubCall(hub.url, 'POST', '/v1/toolsets', {
    name: 'slow',
    entries: (listed.json as { id: string; server_name: string }[]).slice(0, 2).map(({ id, server_name }) => ({
      server_id: id,
      upstream_name: 'slow_compute',
      name: `compute_${server_name}`,
    })),
  });
  if (made.status >= 300) throw new Error(`cannot make the toolset: ${JSON.stringify(made.json)}`);
});

afterAll(async () => {
  await hub.close();
  await plain.close();
  for (const era of ERAS) await servers[era].close();
});

type Reply = Readonly<Record<string, unknown>>;

const legacyClient = async (path: string) => {
  const client = new Client({ name: 'probe', version: '1' }, { capabilities: { elicitation: {} } });
  const questions: unknown[] = [];
  const statuses: Reply[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params._meta?.[RELATED]);
    return { action: 'accept', content: { confirm: true } };
  });
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === 'notifications/tasks/status') statuses.push(params as Reply);
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(path, hub.url)));
  const ask = async (method: string, params: Reply): Promise<Reply> =>
    client.request({ method, params }, ResultSchema.loose());
  const begin = async (name: string, args: object): Promise<string> => {
    const { task } = await ask('tools/call', { name, arguments: args, task: { ttl: 60_000 } });
    expect(task).toMatchObject({ status: 'working', createdAt: expect.any(String) as string });
    return (task as { taskId: string }).taskId;
  };
  return { client, questions, statuses, ask, begin };
};

const modernClient = (path: string, headers: Record<string, string> = {}) => {
  const capabilities = { elicitation: {}, extensions: { [EXTENSION]: {} } };
  const raw = rawHttpClient(new URL(path, hub.url).href, { era: 'modern', capabilities, headers });
  const ask = async (method: string, params: JsonObject): Promise<Reply> => {
    const { response } = await raw.request(method, params);
    if (response?.error !== undefined) throw Object.assign(new Error(response.error.message), response.error);
    return response?.result ?? {};
  };
  const begin = async (name: string, args: object): Promise<string> => {
    const result = await ask('tools/call', { name, arguments: args });
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 600_000 });
    return result['taskId'] as string;
  };
  const until = async (taskId: string, status: string): Promise<Reply> => {
    for (;;) {
      const task = await ask('tasks/get', { taskId });
      expect(task).toMatchObject({ resultType: 'complete', taskId });
      if (task['status'] === status) return task;
      await new Promise((next) => setTimeout(next, 25));
    }
  };
  return { raw, ask, begin, until };
};

const PATHS = (era: Era) =>
  [
    [`/servers/${era}/mcp`, ''],
    ['/mcp', `${era}__`],
  ] as const;

describe.each(ERAS)('tasks of a %s server', (era) => {
  it.each(PATHS(era))('for a legacy client at %s', async (path, prefix) => {
    const { client, questions, ask, begin } = await legacyClient(path);
    const tool = (await client.listTools()).tools.find(({ name }) => name === `${prefix}slow_compute`);
    expect(tool?.execution?.taskSupport).toBe('optional');
    expect(client.getServerCapabilities()?.tasks).toMatchObject({ list: {}, requests: { tools: { call: {} } } });
    const taskId = await begin(`${prefix}slow_compute`, { seconds: 0.05, label: 'x' });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ taskId, ttl: 600_000 });
    const done = await ask('tasks/result', { taskId });
    expect(done).toMatchObject({ content: [{ text: 'Computed x in 0.05 s' }], _meta: { [RELATED]: { taskId } } });
    expect(done).not.toHaveProperty('resultType');
    const asking = await begin(`${prefix}confirm_delete`, { filename: 'a.txt' });
    expect(await ask('tasks/result', { taskId: asking })).toMatchObject({ content: [{ text: 'a.txt: true' }] });
    expect(questions).toEqual([{ taskId: asking }]);
    const endless = await begin(`${prefix}slow_compute`, { seconds: 60 });
    expect(await ask('tasks/cancel', { taskId: endless })).toMatchObject({ taskId: endless, status: 'cancelled' });
    expect(await ask('tasks/get', { taskId: endless })).toMatchObject({ status: 'cancelled' });
    await expect(ask('tasks/cancel', { taskId: endless })).rejects.toMatchObject({ code: -32602 });
    const failing = await begin(`${prefix}failing_job`, {});
    expect(await ask('tasks/result', { taskId: failing })).toMatchObject({ isError: true });
    expect(await ask('tasks/get', { taskId: failing })).toMatchObject({ status: 'failed' });
    const broken = await begin(`${prefix}protocol_error_job`, {});
    await expect(ask('tasks/result', { taskId: broken })).rejects.toMatchObject({ code: -32603 });
    const { tasks } = await ask('tasks/list', {});
    const ids = (tasks as { taskId: string; status: string }[]).map((task) => [task.taskId, task.status]);
    expect(ids).toEqual(
      expect.arrayContaining([
        [taskId, 'completed'],
        [endless, 'cancelled'],
        [failing, 'failed'],
      ]),
    );
    await client.close();
  });

  it.each(PATHS(era))('for a modern client at %s', async (path, prefix) => {
    const { raw, ask, begin, until } = modernClient(path);
    const { capabilities } = await ask('server/discover', {});
    expect(capabilities).toMatchObject({ extensions: { [EXTENSION]: {} } });
    const taskId = await begin(`${prefix}slow_compute`, { seconds: 0.05, label: 'x' });
    expect(await until(taskId, 'completed')).toMatchObject({ result: { content: [{ text: 'Computed x in 0.05 s' }] } });
    const asking = await begin(`${prefix}confirm_delete`, { filename: 'a.txt' });
    const { inputRequests } = await until(asking, 'input_required');
    // The legacy era has no names for questions.
    const key = era === 'legacy' ? 'input-1' : 'confirm';
    expect(inputRequests).toMatchObject({ [key]: { method: 'elicitation/create' } });
    const inputResponses = { [key]: { action: 'accept', content: { confirm: true } } };
    expect(await ask('tasks/update', { taskId: asking, inputResponses })).toMatchObject({ resultType: 'complete' });
    expect(await until(asking, 'completed')).toMatchObject({ result: { content: [{ text: 'a.txt: true' }] } });
    const endless = await begin(`${prefix}slow_compute`, { seconds: 60 });
    expect(await ask('tasks/cancel', { taskId: endless })).toMatchObject({ resultType: 'complete' });
    await until(endless, 'cancelled');
    expect(await ask('tasks/cancel', { taskId: endless })).toMatchObject({ resultType: 'complete' });
    const failing = await begin(`${prefix}failing_job`, {});
    expect(await until(failing, 'completed')).toMatchObject({ result: { isError: true } });
    const broken = await begin(`${prefix}protocol_error_job`, {});
    expect(await until(broken, 'failed')).toMatchObject({ error: { code: -32603 } });
    await expect(ask('tasks/list', {})).rejects.toMatchObject({ code: -32601 });
    const unaware = rawHttpClient(raw.url, { era: 'modern' });
    const refused = await unaware.request('tasks/get', { taskId });
    expect([refused.status, refused.response?.error?.code]).toEqual([400, -32021]);
  });

  it('tell a modern client that listens', async () => {
    const { raw, begin } = modernClient('/mcp');
    const taskId = await begin(`${era}__slow_compute`, { seconds: 0.3 });
    const gone = new AbortController();
    const body = {
      jsonrpc: '2.0',
      id: 'listen',
      method: 'subscriptions/listen',
      params: {
        notifications: { taskIds: [taskId, 'unknown'] },
        _meta: {
          [META.protocolVersion]: '2026-07-28',
          [META.clientCapabilities]: { extensions: { [EXTENSION]: {} } },
        },
      },
    };
    const response = await raw.fetch('POST', {
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify(body),
      signal: gone.signal,
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk);
      if (text.includes('"completed"')) break;
    }
    const [acknowledged, told] = [...text.matchAll(/^data: (.+)$/gmu)].map(
      (match) => JSON.parse(match[1] ?? '') as Reply,
    );
    expect(acknowledged).toMatchObject({ params: { notifications: { taskIds: [taskId] } } });
    expect(told).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'completed', result: { content: expect.any(Array) as [] } },
    });
    gone.abort();
  });
});

describe('the ids of tasks', () => {
  it('are worth nothing at another endpoint, or changed', async () => {
    const { ask, begin } = modernClient('/servers/modern/mcp');
    const taskId = await begin('slow_compute', { seconds: 0 });
    const other = modernClient('/mcp');
    await expect(other.ask('tasks/get', { taskId })).rejects.toMatchObject({ code: -32602 });
    await expect(ask('tasks/get', { taskId: `${taskId}x` })).rejects.toMatchObject({ code: -32602 });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ taskId });
  });

  it('stand for an answer that came at once, and not for tools that cannot wait', async () => {
    const { client, ask, begin } = await legacyClient('/mcp');
    const taskId = await begin('modern__greet', { name: 'Ada' });
    expect(await ask('tasks/result', { taskId })).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
    await expect(ask('tools/call', { name: 'plain__echo', arguments: {}, task: {} })).rejects.toMatchObject({
      code: -32601,
    });
    await client.close();
  });

  it('outlive a restart of the hub', async () => {
    const home = await mkdtemp(join(tmpdir(), 'plugboard-tasks-'));
    const settings = {
      home,
      masterKey: { from: 'environment', value: Secret.of(Buffer.alloc(32, 7).toString('base64')) },
    } as const;
    const first = await startRealHub({ settings });
    const capabilities = { extensions: { [EXTENSION]: {} } };
    const at = ({ url }: RealHub) => rawHttpClient(`${url}/servers/modern/mcp`, { era: 'modern', capabilities });
    try {
      await addServer(first, 'modern', httpConfig((await servers.modern.listenHttp()).url));
      const begun = await at(first).request('tools/call', { name: 'slow_compute', arguments: { seconds: 60 } });
      const taskId = String(begun.response?.result?.['taskId']);
      await first.close();
      const second = await startRealHub({ settings });
      const { response } = await at(second).request('tasks/get', { taskId });
      expect(response?.result).toMatchObject({ taskId, status: 'working' });
      await second.close();
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });

  it('work in a toolset, for both eras', async () => {
    const legacy = await legacyClient('/toolsets/slow/mcp');
    const modern = modernClient('/toolsets/slow/mcp');
    for (const era of ERAS) {
      const taskId = await legacy.begin(`compute_${era}`, { seconds: 0 });
      expect(await legacy.ask('tasks/result', { taskId })).toHaveProperty('content');
      await modern.until(await modern.begin(`compute_${era}`, { seconds: 0 }), 'completed');
    }
    await legacy.client.close();
  });

  it('arrive in the words of the client when a legacy server tells of its tasks', async () => {
    const { client, statuses, ask, begin } = await legacyClient('/servers/legacy/mcp');
    const taskId = await begin('slow_compute', { seconds: 0.2 });
    await ask('tasks/result', { taskId });
    await expect.poll(() => statuses.some((task) => task['taskId'] === taskId)).toBe(true);
    expect(statuses.every((task) => String(task['taskId']).includes('.'))).toBe(true);
    await client.close();
  });
});
