import { PlugboardError } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerTool } from '../../call/offered-tool.js';
import { callOf, clientOf, emptyScope, sessionOf } from '../../test-support/call.js';
import { sampleServer } from '../../test-support/catalogue.js';
import { RecordingClient, type RecordingClientOptions } from '../../test-support/recording-client.js';
import { UpstreamPool } from '../../connection/upstream-pool.js';
import { StatusPush, tellLegacy } from './status-push.js';
import { TaskLedger, type TaskRecord } from './task-ledger.js';

const server = sampleServer('files', 1);
const MODERN: RecordingClientOptions = { protocol: { era: 'modern', revision: '2026-07-28' } };
const PAUSE_MS = 700;
const TASK = { taskId: 't', status: 'working', ttlMs: 1000 };

class DeafClient extends RecordingClient {
  override async listen(...[, options]: Parameters<RecordingClient['listen']>): ReturnType<RecordingClient['listen']> {
    return super.listen({}, options);
  }
}

/** A client whose streams break when they are told to; then some cannot be opened. */
const breakable = () => {
  const breaks: (() => void)[] = [];
  let refusals = 0;
  class BreakingClient extends RecordingClient {
    override async listen(...given: Parameters<RecordingClient['listen']>): ReturnType<RecordingClient['listen']> {
      const { honoured, closed, close } = await super.listen(...given);
      refusals -= 1;
      if (refusals >= 0) throw new Error('nobody there');
      const broken = new Promise<'local'>((resolve) => breaks.push(() => resolve('local')));
      return { honoured, closed: Promise.race([closed, broken]), close };
    }
  }
  const breakAll = (thenRefused = 0): void => {
    refusals = thenRefused;
    for (const end of breaks.splice(0)) end();
  };
  return { Made: BreakingClient, breakAll };
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const rigOf = (seen: JsonObject, options = MODERN, Made = RecordingClient, pauseMs = (_retry: number) => 1) => {
  const clients: RecordingClient[] = [];
  const makeClient = (): RecordingClient => {
    const client = new Made(() => seen, options);
    clients.push(client);
    return client;
  };
  const upstream = new UpstreamPool({ idleMs: 1000, makeClient });
  const ledger = new TaskLedger({ key: new Uint8Array(32) });
  const push = new StatusPush({ upstream, ledger }, { pauseMs });
  const tool = { kind: 'server', server } as ServerTool;
  const session = { ...sessionOf(clientOf('2025-11-25')), endpoint: { ...emptyScope, findTool: () => tool } };
  closing.push(() => {
    push.close();
    ledger.close();
  });
  const begin = (taskId = 't'): TaskRecord =>
    ledger.keep(callOf('tools/call', {}, { session }), {
      address: { serverId: server.id, taskId, tool: 'read' },
      server,
      last: { ...TASK, taskId },
    });
  const asked = (): readonly string[] => clients.flatMap((client) => client.asked.map(({ method }) => method));
  return { push, ledger, upstream, session, begin, asked };
};

type Rig = ReturnType<typeof rigOf>;

describe('a task of a modern server and a legacy client', () => {
  it('is listened to until it is over', async () => {
    const { push, ledger, upstream, session, begin, asked } = rigOf(TASK);
    const record = begin();
    await expect.poll(asked).toEqual(['subscriptions/listen', 'tasks/get']);
    expect([push.size, session.heard]).toEqual([1, []]);
    expect(upstream.link(server).users).toBe(1);
    ledger.note(record, { ...TASK, status: 'completed' });
    await expect.poll(() => [push.size, upstream.link(server).users]).toEqual([0, 0]);
  });

  it('is looked at once, for it may have been faster', async () => {
    const { push, session, begin } = rigOf({ ...TASK, status: 'completed', result: {} });
    const { handle } = begin();
    await expect.poll(() => session.heard).toHaveLength(1);
    expect(session.heard[0]).toMatchObject({
      method: 'notifications/tasks/status',
      params: { taskId: handle, status: 'completed', ttl: 1000 },
    });
    expect(session.heard[0]?.params).not.toHaveProperty('result');
    await expect.poll(() => push.size).toBe(0);
  });

  it('is not listened to for a client that is gone, or was told of the end', async () => {
    const { push, session, begin } = rigOf(TASK);
    const record = begin();
    await expect.poll(() => push.size).toBe(1);
    session.end();
    await expect.poll(() => push.size).toBe(0);
    record.cancelled = true;
    tellLegacy(record, { ...TASK, status: 'completed' });
    expect(session.heard).toEqual([]);
  });

  it('takes no more streams than calls can spare', async () => {
    const { push, begin, asked } = rigOf(TASK);
    for (let number = 0; number < 20; number += 1) begin(`t${number}`);
    await expect.poll(() => asked().filter((method) => method === 'tasks/get')).toHaveLength(16);
    expect(push.size).toBe(16);
  });

  it('is listened to again when the stream breaks, also when that takes several attempts', async () => {
    const seen = { ...TASK };
    const { Made, breakAll } = breakable();
    const { push, session, begin, asked } = rigOf(seen, MODERN, Made);
    const { handle } = begin();
    const opened = ['subscriptions/listen', 'tasks/get'];
    await expect.poll(asked).toEqual(opened);
    seen.status = 'input_required';
    breakAll(2);
    await expect.poll(asked).toEqual([...opened, 'subscriptions/listen', 'subscriptions/listen', ...opened]);
    await expect.poll(() => session.heard).toMatchObject([{ params: { taskId: handle, status: 'input_required' } }]);
    expect(push.size).toBe(1);
  });

  it.each([
    ['it is over', ({ ledger }: Rig, record: TaskRecord) => ledger.note(record, { ...TASK, status: 'completed' })],
    ['its client is gone', ({ session }: Rig) => session.end()],
    ['the hub stops', ({ push }: Rig) => push.close()],
  ])('is not listened to again once %s', async (_why, end) => {
    const { Made, breakAll } = breakable();
    const pauses: number[] = [];
    const rig = rigOf(TASK, MODERN, Made, (retry) => {
      pauses.push(retry);
      return PAUSE_MS;
    });
    const record = rig.begin();
    await expect.poll(rig.asked).toHaveLength(2);
    breakAll();
    await expect.poll(() => pauses, { interval: 1 }).toEqual([1]);
    end(rig, record);
    await new Promise((next) => setTimeout(next, PAUSE_MS + 200));
    expect([rig.asked().length, rig.push.size, rig.upstream.link(server).users]).toEqual([2, 0, 0]);
  });

  it.each([
    ['does not tell of tasks', rigOf.bind(undefined, TASK, MODERN, DeafClient), ['subscriptions/listen']],
    ['is a legacy one', rigOf.bind(undefined, TASK, {}), []],
  ])('is left alone when the server %s', async (_why, rig, methods) => {
    const { push, upstream, begin, asked } = rig();
    begin();
    await expect.poll(() => upstream.size).toBe(1);
    await expect.poll(() => upstream.link(server).users).toBe(0);
    expect([push.size, asked()]).toEqual([0, methods]);
  });
});

it('tells a client nothing of a task whose tool was taken away', () => {
  const { session, begin } = rigOf(TASK);
  const record = begin();
  tellLegacy(record, TASK);
  const findTool = (): never => {
    throw new PlugboardError('TOOL_NOT_FOUND', 'There is no such tool.');
  };
  tellLegacy({ ...record, session: { ...session, endpoint: { ...emptyScope, findTool } } }, TASK);
  expect(session.heard).toHaveLength(1);
});
