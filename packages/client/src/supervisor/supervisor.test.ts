import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Launch } from './launch-process.js';
import type { ProcessTable } from './process-table.js';
import { createSupervisor, type SupervisorOptions } from './supervisor.js';
import { createFakeChild, type FakeChild } from './test-support/fake-child.js';

const never = new AbortController().signal;
const echo = { command: 'cat', args: ['--port', '{{PORT}}'], env: {} };
const quiet: ProcessTable = { find: () => Promise.resolve(undefined), list: () => Promise.resolve([]) };

const setUp = (options: SupervisorOptions = {}) => {
  const children: FakeChild[] = [];
  const launched: Parameters<Launch>[] = [];
  const launch: Launch = (...order) => {
    launched.push(order);
    const child = createFakeChild(100 + children.length);
    children.push(child);
    return Promise.resolve(child.process);
  };
  const supervisor = createSupervisor({ launch, table: quiet, ...options });
  onTestFinished(() => supervisor[Symbol.asyncDispose]());
  return { supervisor, children, launched };
};

describe('a supervisor', () => {
  it('gives the same stdio server to all who ask for the same, and starts children for each client', async () => {
    const { supervisor, children, launched } = setUp();
    const server = supervisor.stdio({ name: 'notes' });
    expect(supervisor.stdio({ name: 'notes' })).toBe(server);
    expect(supervisor.stdio({ name: 'notes', memoryLimitBytes: 1 })).not.toBe(server);
    await server.forClient()(echo, { secrets: ['hush'] });
    expect(launched[0]?.[0].env).toHaveProperty('PLUGBOARD_LAUNCH_ID');
    expect(launched[0]?.[1]).toMatchObject({ secrets: ['hush'], stdout: 'stream' });
    expect(supervisor.slots().used).toBe(1);
    children[0]?.end({ code: 0 });
    await vi.waitFor(() => expect(supervisor.slots().used).toBe(0), 20_000);
  });

  it('forgives failures when somebody repaired the server', async () => {
    const { supervisor, children } = setUp();
    const server = supervisor.stdio({ name: 'notes', restart: { maxRestarts: 0 } });
    await server.launch(echo);
    children[0]?.end({ code: 1 });
    await vi.waitFor(() => expect(server.state().status).toBe('crash-loop'), 20_000);
    await expect(server.launch(echo)).rejects.toMatchObject({ code: 'PROCESS_CRASH_LOOP' });
    supervisor.forgive('notes');
    supervisor.forgive('unknown');
    await server.launch(echo);
    expect(children).toHaveLength(2);
  });

  it('gives a port to programs that listen, and ends those that take too much memory', async () => {
    const list = () =>
      Promise.resolve([{ pid: 100, groupId: 100, zombie: false, startedAt: '', commandLine: '', rssBytes: 3_000_000 }]);
    const { supervisor, children, launched } = setUp({ table: { ...quiet, list }, memoryCheckMs: 5 });
    const server = supervisor.supervise({
      name: 'web',
      spec: () => echo,
      listen: { port: { kind: 'free' }, host: '127.0.0.1' },
      memoryLimitBytes: 2_000_000,
      connect: ({ port }) => Promise.resolve(port),
      disconnect: () => Promise.resolve(),
    });
    const port = await server.use(never, (leased) => Promise.resolve(leased));
    expect(port).toBeGreaterThan(0);
    expect(launched[0]?.[0].args).toEqual(['--port', String(port)]);
    expect(launched[0]?.[1]).toMatchObject({ stdout: 'tail' });
    await vi.waitFor(() => expect(children[0]?.stops).toContain('memory-limit'), 20_000);
  });

  it('releases the place of a child that cannot be started', async () => {
    const { supervisor } = setUp({ launch: () => Promise.reject(new Error('no')) });
    await expect(supervisor.stdio({ name: 'notes' }).launch(echo)).rejects.toThrow('no');
    expect(supervisor.slots().used).toBe(0);
  });

  it('ends an idle child of a source when a start waits for a place', async () => {
    const { supervisor, children } = setUp({ maxChildren: 1, maxWaitMs: 5_000 });
    const server = supervisor.stdio({ name: 'notes' });
    await server.launch(echo);
    let idle = false;
    const remove = supervisor.addIdleSource(() =>
      idle ? { rank: 0, since: 0, evict: () => children[0]?.process.stop('idle') ?? Promise.resolve() } : undefined,
    );
    const second = server.launch(echo);
    idle = true;
    supervisor.noteIdle();
    expect((await second).pid).toBe(101);
    expect(children[0]?.stops).toEqual(['idle']);
    remove();
  });

  it('notes children in its directory, strikes those that are gone, and looks for orphans', async () => {
    const pidDirectory = await mkdtemp(join(tmpdir(), 'plugboard-pids-'));
    onTestFinished(() => rm(pidDirectory, { recursive: true, force: true }));
    const find = (pid: number) =>
      Promise.resolve({ pid, groupId: pid, zombie: false, startedAt: 'now', commandLine: 'cat', rssBytes: 0 });
    const { supervisor, children } = setUp({ pidDirectory, table: { ...quiet, find } });
    await supervisor.stdio({ name: 'notes' }).launch(echo);
    await vi.waitFor(async () => expect(await readdir(pidDirectory)).toHaveLength(1), 20_000);
    expect(await supervisor.reapOrphans(never)).toEqual([]);
    children[0]?.end();
    await vi.waitFor(async () => expect(await readdir(pidDirectory)).toEqual([]), 20_000);
    expect(await setUp().supervisor.reapOrphans(never)).toEqual([]);
  });

  it('ends everything when it is disposed', async () => {
    const { supervisor, children } = setUp();
    await supervisor.stdio({ name: 'notes' }).launch(echo);
    const shared = supervisor.supervise({
      name: 'shared',
      spec: () => echo,
      connect: () => Promise.resolve('link'),
      disconnect: () => Promise.resolve(),
    });
    await shared.use(never, (link) => Promise.resolve(link));
    await supervisor[Symbol.asyncDispose]();
    expect(children.map(({ stops }) => stops.length > 0)).toEqual([true, true]);
    expect(shared.state().status).toBe('disposed');
  });
});
