import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ProgressNotificationSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { fakeServer, type FakeServer, type JsonObject, taskServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from './rig.js';

type Reply = Readonly<Record<string, unknown>>;

/** A legacy server with one endless task, which tells of its progress when the test wants it to. */
class Worker {
  token: unknown;
  status = 'working';
  readonly server: FakeServer = fakeServer({
    eras: 'legacy',
    tools: [
      {
        name: 'work',
        extra: { execution: { taskSupport: 'required' } },
        handler: (_args, call) => {
          this.token = call.meta['progressToken'];
          return { task: this.#task };
        },
      },
    ],
    methods: { 'tasks/get': () => this.#task },
    capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  });

  get #task(): JsonObject {
    const at = '2026-11-01T00:00:00.000Z';
    return { taskId: 'the-task', status: this.status, createdAt: at, lastUpdatedAt: at, ttl: 60_000 };
  }

  progress(progress: number): void {
    this.server.notify('notifications/progress', { progressToken: this.token as number, progress });
  }
}

let hub: RealHub;
const modern = taskServer('modern');
const workers = { streamable: new Worker(), sse: new Worker() };
beforeAll(async () => {
  hub = await startRealHub();
  await addServer(hub, 'modern', httpConfig((await modern.listenHttp()).url));
  await addServer(hub, 'streamable', httpConfig((await workers.streamable.server.listenHttp()).url));
  const { url } = await workers.sse.server.listenSse();
  await addServer(hub, 'sse', { mcp_server_type: 'sse', server_url: url });
});
afterAll(async () => {
  await hub.close();
  for (const server of [modern, workers.streamable.server, workers.sse.server]) await server.close();
});

const legacyClient = async (path: string) => {
  const client = new Client({ name: 'probe', version: '1' });
  const progress: Reply[] = [];
  const statuses: Reply[] = [];
  const logged: unknown[] = [];
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => void progress.push(params));
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === 'notifications/tasks/status') statuses.push(params as Reply);
    if (method === 'notifications/message') logged.push(params?.['data']);
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(path, hub.url)));
  const ask = (method: string, params: Reply): Promise<Reply> =>
    client.request({ method, params }, ResultSchema.loose());
  const begin = async (name: string, args: object = {}): Promise<string> => {
    const _meta = { progressToken: 'mine' };
    const { task } = await ask('tools/call', { name, arguments: args, task: { ttl: 60_000 }, _meta });
    return (task as { taskId: string }).taskId;
  };
  return { client, progress, statuses, logged, ask, begin };
};

describe.each(['streamable', 'sse'] as const)('a legacy server over %s', (name) => {
  it.each([
    ['/mcp', `${name}__`],
    [`/servers/${name}/mcp`, ''],
  ])('may tell a client at %s of the progress of a task until the task is over', async (path, prefix) => {
    const worker = workers[name];
    worker.status = 'working';
    const { client, progress, logged, ask, begin } = await legacyClient(path);
    const taskId = await begin(`${prefix}work`);
    worker.progress(1);
    await expect.poll(() => progress).toEqual([{ progressToken: 'mine', progress: 1 }]);
    worker.status = 'completed';
    await ask('tasks/get', { taskId });
    worker.progress(2);
    // What comes after it on the same way shows that it did not come.
    worker.server.notify('notifications/message', { level: 'error', data: 'after' });
    await expect.poll(() => logged).toEqual(['after']);
    expect(progress).toHaveLength(1);
    await client.close();
  });
});

describe('a modern server', () => {
  it('is listened to for a legacy client that began a task there', async () => {
    const { client, statuses, begin } = await legacyClient('/mcp');
    const taskId = await begin('modern__slow_compute', { seconds: 0.3 });
    await expect.poll(() => statuses).toMatchObject([{ taskId, status: 'completed', ttl: 600_000 }]);
    expect(statuses[0]).not.toHaveProperty('result');
    await client.close();
  });

  it('is listened to again when it ends the stream before the task is over', async () => {
    const { client, statuses, begin } = await legacyClient('/mcp');
    const looks = modern.counters.received('tasks/get');
    const taskId = await begin('modern__slow_compute', { seconds: 3 });
    await expect.poll(() => modern.counters.received('tasks/get'), { timeout: 20_000 }).toBe(looks + 1);
    modern.finishSubscriptions();
    await expect.poll(() => statuses, { timeout: 20_000 }).toMatchObject([{ taskId, status: 'completed' }]);
    await client.close();
  });
});
