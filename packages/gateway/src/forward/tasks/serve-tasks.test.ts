import { PlugboardError } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import type { McpCall } from '../../call/mcp-call.js';
import type { NextStep } from '../../call/step.js';
import type { ServerTool } from '../../call/offered-tool.js';
import type { Scope } from '../../call/scope.js';
import { callOf, clientOf } from '../../test-support/call.js';
import { sampleServer, sampleTool } from '../../test-support/catalogue.js';
import { RecordingClient, type Recorded, type RecordingClientOptions } from '../../test-support/recording-client.js';
import { UpstreamPool } from '../../connection/upstream-pool.js';
import { routeTask } from './route-task.js';
import { mayBecomeTask, serveTasks } from './serve-tasks.js';
import { TaskLedger } from './task-ledger.js';
import { TASKS_EXTENSION } from '../../connection/task-support.js';

const server = sampleServer('files', 1);
const LEGACY: RecordingClientOptions = { capabilities: { tasks: { requests: { tools: { call: {} } } } } };
const MODERN: RecordingClientOptions = {
  protocol: { era: 'modern', revision: '2026-07-28' },
  capabilities: { extensions: { [TASKS_EXTENSION]: {} } },
};
const AWARE = clientOf('2026-07-28', { extensions: { [TASKS_EXTENSION]: {} } });
const UNAWARE = clientOf('2026-07-28');
const OLD = clientOf('2025-11-25');

const toolOf = (taskSupport?: string): ServerTool => ({
  kind: 'server',
  name: 'files__read',
  definition: { name: 'files__read', inputSchema: {} },
  server,
  tool: sampleTool(server, 'read'),
  upstreamDefinition: {
    name: 'read',
    inputSchema: {},
    ...(taskSupport === undefined ? {} : { execution: { taskSupport } }),
  },
});

const rigOf = (answer: (asked: Recorded) => unknown, options: RecordingClientOptions, tool = toolOf('optional')) => {
  let isDenied = false;
  const clients: RecordingClient[] = [];
  const upstream = new UpstreamPool({
    idleMs: 1000,
    makeClient: () => {
      const client = new RecordingClient(answer, options);
      clients.push(client);
      return client;
    },
  });
  const ledger = new TaskLedger({ key: new Uint8Array(32) });
  const parts = { upstream, ledger };
  const scope: Scope = {
    id: 'all',
    kind: 'merged',
    offers: 'everything',
    servers: () => [server],
    tools: () => [tool],
    extras: () => [],
    findTool: () => {
      if (isDenied) throw new PlugboardError('TOOL_NOT_FOUND', 'There is no such tool.');
      return tool;
    },
  };
  const plain: McpCall[] = [];
  const next: NextStep = async (call) => {
    plain.push(call);
    return { content: [] };
  };
  const run = async (call: McpCall): Promise<JsonObject> => (await serveTasks(parts)(call, next)) as JsonObject;
  const begin = (params: JsonObject, changes: Partial<McpCall>): Promise<JsonObject> => {
    const route = { kind: 'upstream', server, method: 'tools/call', params, tool } as const;
    return run(callOf('tools/call', params, { scope, route, ...changes }));
  };
  const ask = async (method: string, params: JsonObject, changes: Partial<McpCall>): Promise<JsonObject> => {
    const call = callOf(method, params, { scope, ...changes });
    const route = routeTask(parts, call);
    if (route?.kind === 'own') return (await route.answer()) as JsonObject;
    return run({ ...call, route });
  };
  const deny = (): void => {
    isDenied = true;
  };
  return { begin, ask, plain, clients, deny };
};

const WORKING = { status: 'working', createdAt: 'c', lastUpdatedAt: 'u' };

describe('calls that may become tasks', () => {
  it('are those of clients that ask for one or take one', () => {
    const route = { kind: 'upstream', server, method: 'tools/call', params: {}, tool: toolOf('required') } as const;
    const calls = [
      callOf('tools/call', { task: {} }, { client: OLD }),
      callOf('tools/call', { task: {} }, { client: clientOf('2025-06-18') }),
      callOf('tools/call', {}, { client: OLD, route }),
      callOf('tools/call', {}, { client: AWARE }),
      callOf('tools/call', {}, { client: UNAWARE }),
      callOf('tools/call', {}, { client: UNAWARE, route }),
      callOf('prompts/get', {}, { client: AWARE }),
    ];
    expect(calls.map(mayBecomeTask)).toEqual([true, false, false, true, false, true, false]);
  });

  it('are refused where the tool cannot be one, and where the client does not take one', async () => {
    const required = rigOf(() => ({}), LEGACY, toolOf('required'));
    await expect(required.begin({}, { client: UNAWARE })).rejects.toMatchObject({
      rpc: { code: -32021, data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } } },
    });
    const without = rigOf(() => ({}), { capabilities: {} });
    await without.begin({ task: {}, name: 'read' }, { client: OLD });
    expect(without.plain[0]?.route).toMatchObject({ params: { name: 'read' } });
    expect(without.plain[0]?.route).not.toHaveProperty('params.task');
  });

  it('take the full path where nothing of tasks is known of the tool', async () => {
    const rig = rigOf(() => ({}), LEGACY, toolOf());
    await rig.begin({}, { client: AWARE });
    await rig.begin({ requestState: 's' }, { client: AWARE });
    expect(rig.plain).toHaveLength(2);
  });

  it('are not shown any more when their tool was taken away from the caller', async () => {
    const rig = rigOf(() => ({ resultType: 'complete', content: [] }), MODERN);
    const { task } = await rig.begin({ task: {} }, { client: OLD });
    const { taskId } = task as { readonly taskId: string };
    rig.deny();
    expect(await rig.ask('tasks/list', {}, { client: OLD })).toEqual({ tasks: [] });
    await expect(rig.ask('tasks/get', { taskId }, { client: OLD })).rejects.toMatchObject({ rpc: { code: -32602 } });
  });

  it('are kept by the hub when a modern server answers a legacy client at once', async () => {
    const rig = rigOf(() => ({ resultType: 'complete', content: [{ type: 'text', text: 'now' }] }), MODERN);
    const { task } = await rig.begin({ task: { ttl: 5 } }, { client: OLD });
    expect(task).toMatchObject({ status: 'working', ttl: 5 });
    const { taskId } = task as { readonly taskId: string };
    expect(await rig.ask('tasks/get', { taskId }, { client: OLD })).toMatchObject({ taskId, status: 'completed' });
    expect(await rig.ask('tasks/result', { taskId }, { client: OLD })).toMatchObject({ content: [{ text: 'now' }] });
    expect(await rig.ask('tasks/list', {}, { client: OLD })).toMatchObject({ tasks: [{ taskId }] });
    await expect(rig.ask('tasks/cancel', { taskId }, { client: OLD })).rejects.toMatchObject({ rpc: { code: -32602 } });
    await expect(rig.ask('tasks/list', { cursor: 'x' }, { client: OLD })).rejects.toMatchObject({
      rpc: { code: -32602 },
    });
  });

  it('that a legacy server answers at once are answered at once', async () => {
    const rig = rigOf(() => ({ content: [] }), LEGACY);
    expect(await rig.begin({}, { client: AWARE })).toMatchObject({ resultType: 'complete', content: [] });
    expect(await rig.begin({ task: {} }, { client: OLD })).toEqual({ content: [] });
  });
});

describe('requests about tasks', () => {
  it('of another caller find nothing', async () => {
    const rig = rigOf(() => ({ resultType: 'task', taskId: 't', ...WORKING, ttlMs: 1000 }), MODERN);
    const { taskId } = await rig.begin({}, { client: AWARE });
    const eve = { ...AWARE, caller: { principal: 'eve' } };
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      await expect(rig.ask(method, { taskId }, { client: eve })).rejects.toMatchObject({ rpc: { code: -32602 } });
    }
    expect(rig.clients.flatMap(({ asked }) => asked.map(({ method }) => method))).toEqual(['tools/call']);
  });

  it('are not served where no server has tasks', async () => {
    const rig = rigOf(() => ({}), { capabilities: {} });
    await expect(rig.ask('tasks/get', { taskId: 'x' }, { client: AWARE })).rejects.toMatchObject({
      rpc: { code: -32601 },
    });
    await expect(rig.ask('tasks/list', {}, { client: OLD })).rejects.toMatchObject({ rpc: { code: -32601 } });
  });

  it('name the failure of a task, and what became of one that was cancelled', async () => {
    const states: JsonObject[] = [
      { status: 'failed', error: { code: -32050, message: 'no luck', data: 1 } },
      { status: 'cancelled' },
    ];
    const rig = rigOf(
      ({ method }) =>
        method === 'tools/call'
          ? { resultType: 'task', taskId: 't', ...WORKING, ttlMs: 1000 }
          : { resultType: 'complete', taskId: 't', ...WORKING, ...states.shift() },
      MODERN,
    );
    const { task } = await rig.begin({ task: {} }, { client: OLD });
    const { taskId } = task as { readonly taskId: string };
    await expect(rig.ask('tasks/result', { taskId }, { client: OLD })).rejects.toMatchObject({
      rpc: { code: -32050, message: 'no luck', data: 1 },
    });
    await expect(rig.ask('tasks/result', { taskId }, { client: OLD })).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
