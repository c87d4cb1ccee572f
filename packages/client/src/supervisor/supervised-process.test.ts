import { describe, expect, it } from 'vitest';
import { clientError } from '../error/to-client-error.js';
import { errorOf } from '../policy/test-support/call.js';
import { createFakeClock, settle } from '../deadline/test-support/fake-clock.js';
import { createChildSlots } from './child-slots.js';
import { SupervisedProcess, type SupervisedOptions } from './supervised-process.js';
import { createFakeChild, type FakeChild } from './test-support/fake-child.js';

const never = new AbortController().signal;

const setUp = (changes: Partial<SupervisedOptions<string>> = {}, failLaunch?: () => Error | undefined) => {
  const clock = createFakeClock();
  const slots = createChildSlots({ max: 10, waitMs: 100, clock });
  const children: FakeChild[] = [];
  const states: string[] = [];
  const closed: string[] = [];
  const server = new SupervisedProcess<string>(
    {
      name: 'notes',
      spec: () => ({ command: 'notes', args: [], env: {} }),
      connect: (child) => Promise.resolve(`link to ${child.process.pid}`),
      disconnect: (connection) => Promise.resolve(closed.push(connection)),
      ...changes,
    },
    {
      launch: () => {
        const failure = failLaunch?.();
        if (failure !== undefined) return Promise.reject(failure);
        children.push(createFakeChild(100 + children.length));
        return Promise.resolve(children.at(-1) as FakeChild);
      },
      slots,
      clock,
      random: () => 1,
    },
  );
  server.onChange((state) => states.push(state.status));
  const use = (): Promise<string> => server.use(never, (connection) => Promise.resolve(connection));
  return { clock, slots, children, states, closed, server, use };
};

describe('a supervised server', () => {
  it('starts with the first use, once for all who ask, and is kept', async () => {
    const { children, server, states, use } = setUp();
    expect(server.state()).toEqual({ status: 'stopped' });
    expect(await Promise.all([use(), use(), use()])).toEqual(['link to 100', 'link to 100', 'link to 100']);
    expect(await use()).toBe('link to 100');
    expect(children).toHaveLength(1);
    expect(server.state()).toEqual({ status: 'ready', pid: 100, port: undefined, since: 0 });
    expect(states).toEqual(['starting', 'ready']);
  });

  it('comes back at once after its first fall, without a user asking', async () => {
    const { children, closed, server, use } = setUp();
    await use();
    children[0]?.end({ code: null, signal: 'SIGKILL', reason: 'signalled' });
    await settle();
    expect(server.state()).toMatchObject({ status: 'ready', pid: 101 });
    expect(closed).toEqual(['link to 100']);
    expect(await use()).toBe('link to 101');
  });

  it('waits before further restarts; users wait with it', async () => {
    const { clock, children, server, use } = setUp({ restart: { baseDelayMs: 1_000 } });
    await use();
    children[0]?.end();
    await settle();
    children[1]?.end();
    await settle();
    expect(server.state()).toMatchObject({ status: 'backing-off', restartAt: 1_000 });
    const waiting = use();
    await clock.advance(1_000);
    expect(await waiting).toBe('link to 102');
  });

  it('shows a crash loop, refuses at once, and tries again later', async () => {
    const { clock, children, server, use } = setUp({ restart: { maxRestarts: 1, windowMs: 5_000 } });
    await use();
    children[0]?.end();
    await settle();
    children[1]?.end({ code: 7 });
    await settle();
    expect(server.state()).toMatchObject({ status: 'crash-loop', failures: 2, retryAt: 5_000 });
    expect(await errorOf(use())).toMatchObject({
      code: 'PROCESS_CRASH_LOOP',
      retryAfterMs: 5_000,
      details: { exit_code: 7, last_failure: 'PROCESS_EXITED' },
    });
    expect(children).toHaveLength(2);
    await clock.advance(5_000);
    expect(await use()).toBe('link to 102');
  });

  it('can be restarted by hand out of a crash loop', async () => {
    const { children, server, use } = setUp({ restart: { maxRestarts: 0 } });
    await use();
    children[0]?.end();
    await settle();
    expect(server.state().status).toBe('crash-loop');
    await server.restart(never);
    expect(server.state().status).toBe('ready');
  });

  it('stays down after a clean exit until it is used again, unless it shall always run', async () => {
    const onFailure = setUp();
    await onFailure.use();
    onFailure.children[0]?.end({ code: 0 });
    await settle();
    expect(onFailure.server.state()).toMatchObject({ status: 'stopped', lastExit: { code: 0 } });
    expect(await onFailure.use()).toBe('link to 101');

    const always = setUp({ restart: { mode: 'always' } });
    await always.use();
    always.children[0]?.end({ code: 0 });
    await settle();
    expect(always.server.state()).toMatchObject({ status: 'ready', pid: 101 });
  });

  it('stays down for good when it shall never be restarted', async () => {
    const { children, server, use } = setUp({ restart: { mode: 'never' } });
    await use();
    children[0]?.end({ reason: 'memory-limit', detail: '9 MB of 8 MB allowed' });
    await settle();
    const error = await errorOf(use());
    expect(error.code).toBe('PROCESS_MEMORY_LIMIT');
    expect(error.message).toContain('9 MB of 8 MB allowed');
    expect(children).toHaveLength(1);
    await server.restart(never);
    expect(server.state().status).toBe('ready');
  });

  it('is stopped when idle and woken on demand, but never while it is used', async () => {
    const { clock, children, closed, server, use } = setUp({ idleMs: 1_000 });
    const lease = await server.acquire(never);
    await clock.advance(5_000);
    expect(server.state().status).toBe('ready');
    lease[Symbol.dispose]();
    lease[Symbol.dispose]();
    await clock.advance(999);
    expect(await use()).toBe('link to 100');
    await clock.advance(1_000);
    expect(server.state()).toMatchObject({ status: 'stopped', lastExit: { reason: 'idle' } });
    expect(closed).toEqual(['link to 100']);
    expect(children[0]?.stops).toEqual(['idle']);
    expect(await use()).toBe('link to 101');
  });

  it('offers itself for eviction only while nobody uses it', async () => {
    const { clock, slots, server } = setUp();
    const crowd = Promise.all(Array.from({ length: 10 }, () => slots.take({ name: 'other', signal: never })));
    await crowd;
    const lease = await server.acquire(never);
    const taking = slots.take({ name: 'new', signal: never }).then(() => undefined);
    const refused = errorOf(taking);
    await clock.advance(100);
    expect((await refused).code).toBe('RATE_LIMITED');
    lease[Symbol.dispose]();
    void slots.take({ name: 'new', signal: never }).catch(() => undefined);
    await clock.advance(10);
    expect(server.state()).toMatchObject({ status: 'stopped', lastExit: { reason: 'idle' } });
  });

  it('ends a child that does not become ready in time and says so', async () => {
    const { clock, children, use } = setUp({ connect: () => new Promise(() => undefined), startupMs: 500 });
    const error = errorOf(use());
    await clock.advance(500);
    expect(await error).toMatchObject({ code: 'PROCESS_NOT_STARTED', details: { stderr_tail: 'last words' } });
    expect(children[0]?.stops).toEqual(['not-ready']);
  });

  it('fails the start at once when the child dies in it', async () => {
    const { children, use } = setUp({ connect: () => new Promise(() => undefined) });
    const error = errorOf(use());
    await settle();
    children[0]?.end({ code: 2, stderrTail: ['no config'] });
    expect(await error).toMatchObject({ code: 'PROCESS_EXITED', details: { exit_code: 2, stderr_tail: 'no config' } });
  });

  it('passes the error of the handshake on', async () => {
    const { use } = setUp({ connect: () => Promise.reject(clientError('UPSTREAM_NOT_MCP', 'not MCP')) });
    expect((await errorOf(use())).code).toBe('UPSTREAM_NOT_MCP');
  });

  it('does not try a command that cannot be started on its own account', async () => {
    const { clock, server, use } = setUp({}, () => clientError('PROCESS_NOT_STARTED', 'no such command'));
    expect((await errorOf(use())).code).toBe('PROCESS_NOT_STARTED');
    expect(server.state()).toMatchObject({ status: 'stopped', lastError: { code: 'PROCESS_NOT_STARTED' } });
    expect(clock.pending()).toBe(0);
  });

  it('replaces a child that no longer answers', async () => {
    let alive = true;
    const probe = {
      run: () => (alive ? Promise.resolve() : Promise.reject(new Error('silent'))),
      everyMs: 100,
      timeoutMs: 50,
      maxFailures: 2,
    };
    const { clock, children, server, use } = setUp({ probe });
    await use();
    await clock.advance(1_000);
    expect(children).toHaveLength(1);
    alive = false;
    await clock.advance(200);
    expect(children[0]?.stops).toEqual(['unresponsive']);
    expect(server.state()).toMatchObject({ status: 'ready', pid: 101 });
  });

  it('lets one user give up without disturbing the others', async () => {
    const gate: (() => void)[] = [];
    const { server } = setUp({ connect: () => new Promise((resolve) => gate.push(() => resolve('link'))) });
    const controller = new AbortController();
    const impatient = errorOf(server.acquire(controller.signal));
    const patient = server.acquire(never);
    await settle();
    controller.abort();
    expect((await impatient).code).toBe('CANCELLED');
    gate[0]?.();
    expect((await patient).connection).toBe('link');
  });

  it('ends a start that is under way when it is stopped, and can be used again', async () => {
    let hang = true;
    const { clock, children, server, use } = setUp({
      connect: () => (hang ? new Promise(() => undefined) : Promise.resolve('link')),
    });
    const error = errorOf(use());
    await settle();
    await server.stop();
    expect((await error).message).toContain('was stopped');
    expect(children[0]?.stops).toEqual(['not-ready']);
    expect(server.state().status).toBe('stopped');
    expect(clock.pending()).toBe(0);
    hang = false;
    expect(await use()).toBe('link');
  });

  it('is gone after it was disposed of, and leaves no timer', async () => {
    const { clock, children, server, states, use } = setUp({ idleMs: 10_000 });
    await use();
    await server[Symbol.asyncDispose]();
    expect(children[0]?.stops).toEqual(['stopped']);
    expect(states.slice(-3)).toEqual(['stopping', 'stopped', 'disposed']);
    expect(clock.pending()).toBe(0);
    expect((await errorOf(use())).message).toContain('no longer supervised');
    await server.stop();
  });
});
