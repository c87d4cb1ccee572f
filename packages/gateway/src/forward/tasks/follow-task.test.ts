import { McpProtocolError } from '@plugboard/client';
import { isJsonObject, type JsonObject, type JsonRpcNotification } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import type { ClientFacts, McpCall } from '../../call/mcp-call.js';
import type { ServerTool } from '../../call/offered-tool.js';
import { callOf, clientOf, sessionOf } from '../../test-support/call.js';
import { sampleServer, sampleTool } from '../../test-support/catalogue.js';
import { RecordingClient, type Recorded, type RecordingClientOptions } from '../../test-support/recording-client.js';
import { UpstreamPool } from '../../connection/upstream-pool.js';
import { routeTask } from './route-task.js';
import { serveTasks } from './serve-tasks.js';
import { inTermsOfClient } from './session-tasks.js';
import { TaskFeed } from './task-feed.js';
import { TaskLedger } from './task-ledger.js';
import { RELATED_TASK } from './task-shape.js';
import { TASKS_EXTENSION } from '../../connection/task-support.js';

const server = sampleServer('files', 1);
const LEGACY_SERVER: RecordingClientOptions = {
  capabilities: { tasks: { requests: { tools: { call: {} } } } },
  sessionId: 's',
};
const MODERN_SERVER: RecordingClientOptions = {
  protocol: { era: 'modern', revision: '2026-07-28' },
  capabilities: { extensions: { [TASKS_EXTENSION]: {} } },
};
const MODERN = clientOf('2026-07-28', { elicitation: {}, extensions: { [TASKS_EXTENSION]: {} } });
const LEGACY = clientOf('2025-11-25', { elicitation: {} });
const TASK = { taskId: 't', status: 'working', createdAt: 'c', lastUpdatedAt: 'u', ttl: 1000, pollInterval: 50 };
const MODERN_TASK = {
  taskId: 't',
  status: 'working',
  createdAt: 'c',
  lastUpdatedAt: 'u',
  ttlMs: 1000,
  pollIntervalMs: 50,
};
const tool: ServerTool = {
  kind: 'server',
  name: 'read',
  definition: { name: 'read', inputSchema: {} },
  server,
  tool: sampleTool(server, 'read'),
  upstreamDefinition: { name: 'read', inputSchema: {}, execution: { taskSupport: 'required' } },
};
const scope = {
  id: 'server files',
  kind: 'server',
  offers: 'everything',
  servers: () => [server],
  tools: () => [tool],
  extras: () => [],
  findTool: () => tool,
} as const;

const rigOf = (client: ClientFacts, answer: (asked: Recorded) => unknown, options: RecordingClientOptions) => {
  const clients: RecordingClient[] = [];
  const upstream = new UpstreamPool({
    idleMs: 1000,
    makeClient: () => {
      const made = new RecordingClient(answer, options);
      clients.push(made);
      return made;
    },
  });
  const ledger = new TaskLedger({ key: new Uint8Array(32) });
  const parts = { upstream, ledger };
  const feed = new TaskFeed(parts);
  const session = client === LEGACY ? sessionOf(client) : undefined;
  const heard: JsonRpcNotification[] = [];
  const questions: unknown[] = [];
  const reply: McpCall['reply'] = {
    notify: (notification) => heard.push(notification),
    ask: async (_method, params) => {
      questions.push(params);
      return { action: 'accept', _meta: isJsonObject(params) ? params['_meta'] : undefined };
    },
  };
  const run = async (call: McpCall): Promise<JsonObject> =>
    (await serveTasks(parts)(call, () => Promise.reject(new Error('took the full path')))) as JsonObject;
  const base = { client, scope, session, reply };
  const begin = async (meta: JsonObject = {}): Promise<string> => {
    const params = { name: 'read', _meta: meta, ...(client === LEGACY ? { task: {} } : {}) };
    const route = { kind: 'upstream', server, method: 'tools/call', params, tool } as const;
    const result = await run(callOf('tools/call', params, { ...base, route }));
    const task = isJsonObject(result['task']) ? result['task'] : result;
    return String(task['taskId']);
  };
  const ask = async (method: string, params: JsonObject): Promise<JsonObject> => {
    const call = callOf(method, params, base);
    return run({ ...call, route: routeTask(parts, call) });
  };
  return { begin, ask, feed, ledger, upstream, clients, heard, questions, session, base };
};

const failure = (code: number): McpProtocolError =>
  new McpProtocolError('UPSTREAM_PROTOCOL', 'no', { delivery: 'answered', rpc: { code, message: 'no' } });

const signal = new AbortController().signal;
const QUESTION = { message: 'sure?', requestedSchema: {}, _meta: { [RELATED_TASK]: { taskId: 't' } } };

describe('legacy client, legacy server', () => {
  it('everything passes as it is, except the id', async () => {
    let answered: unknown;
    const rig = rigOf(
      LEGACY,
      async ({ method, params, options }) => {
        if (method === 'tools/call') return { task: TASK, _meta: { vendor: 1 } };
        if (method !== 'tasks/result') return { ...TASK, vendor: (params as JsonObject)['taskId'] };
        options.onNotification?.({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { _meta: QUESTION['_meta'] },
        });
        answered = await options.onRequest?.({ method: 'elicitation/create', params: QUESTION, signal });
        return { content: [], _meta: QUESTION['_meta'] };
      },
      LEGACY_SERVER,
    );
    const taskId = await rig.begin();
    expect(taskId).not.toBe('t');
    expect(await rig.ask('tasks/get', { taskId })).toEqual({ ...TASK, taskId, vendor: 't' });
    const related = { [RELATED_TASK]: { taskId } };
    expect(await rig.ask('tasks/result', { taskId })).toEqual({ content: [], _meta: related });
    expect(rig.heard[0]?.params).toEqual({ _meta: related });
    expect(rig.questions).toEqual([{ ...QUESTION, _meta: related }]);
    expect(answered).toEqual({ action: 'accept', _meta: QUESTION['_meta'] });
    const link = rig.ledger.find(server.id, 't')?.link;
    rig.clients.at(-1)?.emit('notifications/tasks/status', { ...TASK, status: 'completed' });
    rig.clients.at(-1)?.emit('notifications/tasks/status', { ...TASK, taskId: 'unknown' });
    expect(rig.session?.heard).toMatchObject([{ params: { taskId, status: 'completed' } }]);
    const told = { jsonrpc: '2.0', method: 'notifications/message', params: { _meta: QUESTION['_meta'] } } as const;
    expect(link && inTermsOfClient(rig.ledger)(link, told).params).toEqual({ _meta: related });
    const asked = await rig.clients.at(-1)?.handlers.get('*')?.({ method: 'ping', params: {}, signal });
    expect(asked).toEqual({});
  });
});

describe('the progress of a legacy task', () => {
  const told = (progress: number): JsonObject => ({ progressToken: 5, progress, _meta: QUESTION['_meta'] });
  const rigOfProgress = () => {
    let waited: () => void = () => undefined;
    const rig = rigOf(
      LEGACY,
      async ({ method }) => {
        if (method === 'tools/call') return { task: TASK };
        if (method === 'tasks/result') await new Promise<void>((resolve) => (waited = resolve));
        return { ...TASK, status: 'completed' };
      },
      LEGACY_SERVER,
    );
    const asked = (wanted: string) => rig.clients.flatMap((each) => each.asked).find(({ method }) => method === wanted);
    return { ...rig, asked, waited: () => waited() };
  };

  it('reaches its client in its words: where it waits for the result, else outside any request', async () => {
    const rig = rigOfProgress();
    const taskId = await rig.begin({ progressToken: 'mine' });
    const tell = (progress: number): void =>
      rig.asked('tools/call')?.options.onProgress?.({ progress: 1 }, told(progress));
    const inItsWords = (progress: number) => ({
      method: 'notifications/progress',
      params: { progressToken: 'mine', progress, _meta: { [RELATED_TASK]: { taskId } } },
    });
    tell(1);
    expect(rig.session?.heard).toMatchObject([inItsWords(1)]);
    const result = rig.ask('tasks/result', { taskId, _meta: { progressToken: 'other' } });
    await expect.poll(() => rig.asked('tasks/result')).toBeDefined();
    tell(2);
    rig.asked('tasks/result')?.options.onProgress?.({ progress: 1 }, { progressToken: 6, progress: 3 });
    expect(rig.heard).toMatchObject([inItsWords(2), { params: { progressToken: 'other', progress: 3 } }]);
    rig.waited();
    await result;
    tell(4);
    expect(rig.session?.heard).toMatchObject([inItsWords(1), inItsWords(4)]);
  });

  it('is waited for until the task is over, forgotten, or was none', async () => {
    const rig = rigOfProgress();
    const taskId = await rig.begin({ progressToken: 'mine' });
    const until = rig.asked('tools/call')?.options.progressUntil;
    expect(until?.aborted).toBe(false);
    await rig.ask('tasks/get', { taskId });
    expect(until?.aborted).toBe(true);
    const forgetful = rigOfProgress();
    await forgetful.begin();
    forgetful.ledger.close();
    expect(forgetful.asked('tools/call')?.options.progressUntil?.aborted).toBe(true);
    const none = rigOf(LEGACY, () => ({ content: [] }), LEGACY_SERVER);
    await none.begin();
    expect(none.clients.at(-1)?.asked.at(-1)?.options.progressUntil?.aborted).toBe(true);
  });
});

describe('modern client, modern server', () => {
  it('everything passes as it is, except the id, and its listener hears of it', async () => {
    const rig = rigOf(
      MODERN,
      ({ method }) =>
        method === 'tools/call' ? { resultType: 'task', ...MODERN_TASK } : { ...MODERN_TASK, vendor: 1 },
      MODERN_SERVER,
    );
    const taskId = await rig.begin();
    expect(await rig.ask('tasks/get', { taskId })).toMatchObject({ resultType: 'complete', taskId, vendor: 1 });
    const told: JsonRpcNotification[] = [];
    const call = callOf('subscriptions/listen', {}, rig.base);
    const followed = await rig.feed.follow(call, [taskId, 'unknown'], (notification) => told.push(notification));
    const again = await rig.feed.follow(call, [taskId], () => undefined);
    expect(followed.handles).toEqual([taskId]);
    expect(
      rig.clients.flatMap(({ asked }) => asked).filter(({ method }) => method === 'subscriptions/listen'),
    ).toHaveLength(1);
    rig.clients.at(-1)?.emit('notifications/tasks', { ...MODERN_TASK, status: 'completed', result: {} });
    expect(told).toMatchObject([{ method: 'notifications/tasks', params: { taskId, status: 'completed' } }]);
    followed.stop();
    again.stop();
    rig.clients.at(-1)?.emit('notifications/tasks', MODERN_TASK);
    expect(told).toHaveLength(1);
    rig.feed.close();
  });
});

describe('legacy client, modern server', () => {
  it('waits at the hub, asks the client what the task needs, and gives the result in its words', async () => {
    const states: JsonObject[] = [
      {
        status: 'input_required',
        inputRequests: { sure: { method: 'elicitation/create', params: { mode: 'form', message: 'sure?' } } },
      },
      { status: 'completed', result: { resultType: 'complete', content: [], structuredContent: [1] } },
    ];
    const asked: JsonObject[] = [];
    const rig = rigOf(
      LEGACY,
      ({ method, params }) => {
        if (method === 'tools/call') return { resultType: 'task', ...MODERN_TASK, _meta: { vendor: 1 } };
        if (method === 'tasks/update') asked.push(params as JsonObject);
        if (method !== 'tasks/get') return {};
        return { resultType: 'complete', ...MODERN_TASK, ...(asked.length === 0 ? states[0] : states[1]) };
      },
      MODERN_SERVER,
    );
    const taskId = await rig.begin();
    expect(await rig.ask('tasks/get', { taskId })).toEqual({ ...TASK, taskId, status: 'input_required' });
    const result = await rig.ask('tasks/result', { taskId });
    expect(result).toEqual({ content: [], structuredContent: { result: [1] }, _meta: { [RELATED_TASK]: { taskId } } });
    expect(asked).toMatchObject([{ taskId: 't', inputResponses: { sure: { action: 'accept' } } }]);
    expect(rig.questions).toMatchObject([{ _meta: { [RELATED_TASK]: { taskId } } }]);
    await expect(rig.ask('tasks/cancel', { taskId })).rejects.toMatchObject({ rpc: { code: -32602 } });
  });

  it('is told that a task is cancelled, and stays so', async () => {
    const rig = rigOf(
      LEGACY,
      ({ method }) => (method === 'tools/call' ? { resultType: 'task', ...MODERN_TASK } : { ...MODERN_TASK }),
      MODERN_SERVER,
    );
    const taskId = await rig.begin();
    expect(await rig.ask('tasks/cancel', { taskId })).toMatchObject({ taskId, status: 'cancelled' });
    expect(await rig.ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
    await expect(rig.ask('tasks/result', { taskId })).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('modern client, legacy server', () => {
  it('sees questions and results with the task, and answers with an update', async () => {
    const state = { status: 'input_required' };
    const rig = rigOf(
      MODERN,
      async ({ method, options }) => {
        if (method === 'tools/call') return { task: TASK };
        if (method !== 'tasks/result') return { ...TASK, ...state };
        const answer = await options.onRequest?.({ method: 'elicitation/create', params: QUESTION, signal });
        state.status = 'completed';
        return { content: [], answer, _meta: QUESTION['_meta'] };
      },
      LEGACY_SERVER,
    );
    const taskId = await rig.begin();
    const waiting = await rig.ask('tasks/get', { taskId });
    expect(waiting).toMatchObject({
      taskId,
      status: 'input_required',
      ttlMs: 1000,
      inputRequests: { 'input-1': { method: 'elicitation/create' } },
    });
    expect(
      await rig.ask('tasks/update', { taskId, inputResponses: { 'input-1': { action: 'decline' } } }),
    ).toMatchObject({ resultType: 'complete' });
    const done = await rig.ask('tasks/get', { taskId });
    expect(done).toMatchObject({ status: 'completed', result: { content: [], answer: { action: 'decline' } } });
    expect(done['result']).not.toHaveProperty('_meta');
    expect(await rig.ask('tasks/cancel', { taskId })).toMatchObject({ resultType: 'complete' });
    expect(rig.clients.flatMap(({ asked }) => asked).some(({ method }) => method === 'tasks/cancel')).toBe(false);
    const told: JsonRpcNotification[] = [];
    const followed = await rig.feed.follow(callOf('subscriptions/listen', {}, rig.base), [taskId], (each) =>
      told.push(each),
    );
    rig.clients.at(-1)?.emit('notifications/tasks/status', { ...TASK, status: 'completed' });
    await expect
      .poll(() => told)
      .toMatchObject([{ method: 'notifications/tasks', params: { taskId, result: { content: [] } } }]);
    followed.stop();
  });

  it('sees a failure of the protocol as a failed task, and what else went wrong as it is', async () => {
    let thrown: Error = new McpProtocolError('UPSTREAM_TIMEOUT', 'slow', {});
    const rig = rigOf(
      MODERN,
      ({ method }) => {
        if (method === 'tools/call') return { task: TASK };
        if (method === 'tasks/result') throw thrown;
        return { ...TASK, status: 'failed' };
      },
      LEGACY_SERVER,
    );
    const taskId = await rig.begin();
    await expect(rig.ask('tasks/get', { taskId })).rejects.toThrow('slow');
    thrown = failure(-32050);
    expect(await rig.ask('tasks/get', { taskId })).toMatchObject({ status: 'failed', error: { code: -32050 } });
    expect(await rig.ask('tasks/get', { taskId })).toMatchObject({ status: 'failed' });
  });
});
