import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorOf } from '../policy/test-support/call.js';
import type { RunningChild } from './child-launcher.js';
import { linuxProcessTable } from './linux-process-table.js';
import type { ProcessState } from './process-state.js';
import { psProcessTable } from './ps-process-table.js';
import type { SupervisedOptions } from './supervised-process.js';
import { createSupervisor, type Supervisor, type SupervisorOptions } from './supervisor.js';
import { isAlive, openDescriptors, testEnvironment, zombies } from './test-support/processes.js';
import { until } from './test-support/until.js';

const never = new AbortController().signal;
const grace = { stdinMs: 500, termMs: 500 };

const start = (options: SupervisorOptions = {}): Supervisor => {
  const supervisor = createSupervisor(options);
  onTestFinished(() => supervisor[Symbol.asyncDispose]());
  return supervisor;
};

/** A server in a line of shell: it answers each line with itself. */
const echo = { command: 'cat', args: [], env: testEnvironment };

const ask = async ({ process: child }: RunningChild, line: string): Promise<string> => {
  const answer = once(child.stdout, 'data');
  child.stdin.write(`${line}\n`);
  const [chunk] = (await answer) as [Buffer];
  return String(chunk).trim();
};

const echoServer = (changes: Partial<SupervisedOptions<RunningChild>> = {}): SupervisedOptions<RunningChild> => ({
  name: 'echo',
  spec: () => echo,
  connect: async (child) => {
    await ask(child, 'hello');
    return child;
  },
  grace,
  ...changes,
});

const node = (script: string, env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) => ({
  command: process.execPath,
  args: ['-e', script, '--', ...args],
  env: { ...testEnvironment, ...env },
});

describe('a supervised child', () => {
  it('is replaced after kill -9: the next use gets a new one', async () => {
    const server = start().supervise(echoServer());
    const first = await server.use(never, (child) => Promise.resolve(child.process));
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    expect(await server.use(never, (child) => ask(child, 'again'))).toBe('again');
    expect(await isAlive(first.pid)).toBe(false);
  });

  it('survives 1,000 kills in a row without a zombie, a descriptor or a listener left behind', async () => {
    const supervisor = start();
    const server = supervisor.supervise(
      echoServer({ restart: { maxRestarts: Number.POSITIVE_INFINITY, baseDelayMs: 0 } }),
    );
    const killOne = (): Promise<void> =>
      server.use(never, async (child) => {
        process.kill(child.process.pid, 'SIGKILL');
        await child.process.exited;
      });
    // The guard and the first child are there to stay.
    for (let round = 0; round < 3; round += 1) await killOne();
    await server.use(never, (child) => ask(child, 'warm'));
    const before = { descriptors: openDescriptors(), listeners: process.eventNames().length };
    for (let round = 0; round < 1_000; round += 1) await killOne();
    expect(await server.use(never, (child) => ask(child, 'still here'))).toBe('still here');
    expect(supervisor.slots().used).toBe(1);
    expect(await zombies()).toBe(0);
    await until('descriptors are as before', () => openDescriptors() <= before.descriptors);
    expect(process.eventNames()).toHaveLength(before.listeners);
    expect(process.listenerCount('exit')).toBeLessThanOrEqual(10);
  }, 180_000);

  it('is ended and named when it uses too much memory', async () => {
    // The grandchild holds it: what counts is the group.
    const script = `
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'globalThis.held = Buffer.alloc(300_000_000, 1); setInterval(() => {}, 1000)']);
      process.stdout.write('up'); process.stdin.resume();`;
    const server = start({ memoryCheckMs: 50 }).supervise<RunningChild>({
      name: 'glutton',
      spec: () => node(script),
      connect: async (child) => {
        await once(child.process.stdout, 'data');
        return child;
      },
      memoryLimitBytes: 250_000_000,
      restart: { mode: 'never' },
      grace,
    });
    const child = await server.use(never, (running) => Promise.resolve(running.process));
    expect((await child.exited).reason).toBe('memory-limit');
    const error = await errorOf(server.acquire(never));
    expect(error.code).toBe('PROCESS_MEMORY_LIMIT');
    expect(error.message).toMatch(/"glutton".* \d+ MB of 250 MB allowed/u);
    // It may have been caught while it was still growing.
    expect(Number(/ (\d+) MB of/u.exec(error.message)?.[1])).toBeGreaterThan(250);
  });

  it('that keeps falling ends in a crash loop that everybody can see', async () => {
    const states: ProcessState[] = [];
    const server = start().supervise(
      echoServer({
        name: 'broken',
        spec: () => ({ command: 'sh', args: ['-c', 'echo no licence >&2; exit 4'], env: testEnvironment }),
        restart: { maxRestarts: 3, baseDelayMs: 1 },
      }),
    );
    server.onChange((state) => states.push(state));
    await errorOf(server.acquire(never));
    await until('the crash loop', () => server.state().status === 'crash-loop');
    expect(states.filter((state) => state.status === 'starting')).toHaveLength(4);
    const error = await errorOf(server.acquire(never));
    expect(error).toMatchObject({
      code: 'PROCESS_CRASH_LOOP',
      details: { exit_code: 4, stderr_tail: 'no licence', last_failure: 'PROCESS_EXITED' },
    });
    expect(error.retryAfterMs).toBeGreaterThan(0);
  });

  it('that hangs instead of starting is ended at its deadline', async () => {
    const server = start().supervise(echoServer({ connect: () => new Promise(() => undefined), startupMs: 100 }));
    expect((await errorOf(server.acquire(never))).code).toBe('PROCESS_NOT_STARTED');
  });

  it('is stopped when idle and woken on demand', async () => {
    const supervisor = start();
    const server = supervisor.supervise(echoServer({ idleMs: 50 }));
    const pid = await server.use(never, (child) => Promise.resolve(child.process.pid));
    await until('it sleeps', () => server.state().status === 'stopped');
    expect(await isAlive(pid)).toBe(false);
    expect(supervisor.slots().used).toBe(0);
    expect(await server.use(never, (child) => ask(child, 'awake'))).toBe('awake');
  });

  it('makes room for another when the cap is reached, if it is idle', async () => {
    const supervisor = start({ maxChildren: 1, maxWaitMs: 100 });
    const [one, other] = [
      supervisor.supervise(echoServer({ name: 'one' })),
      supervisor.supervise(echoServer({ name: 'other' })),
    ];
    await one.use(never, (child) => ask(child, '1'));
    const lease = await other.acquire(never);
    expect(one.state()).toMatchObject({ status: 'stopped', lastExit: { reason: 'idle' } });
    expect(supervisor.slots().used).toBe(1);
    expect((await errorOf(one.acquire(never))).code).toBe('RATE_LIMITED');
    lease[Symbol.dispose]();
    expect(await one.use(never, (child) => ask(child, 'back'))).toBe('back');
  });

  it('spends one budget for all clients of a server', () => {
    const supervisor = start();
    const server = supervisor.stdio({ name: 'notes' });
    expect(supervisor.stdio({ name: 'notes' })).toBe(server);
    expect(supervisor.stdio({ name: 'notes', memoryLimitBytes: 1 })).not.toBe(server);
    expect(supervisor.stdio({ name: 'other' })).not.toBe(server);
  });

  it('ends with its supervisor', async () => {
    const supervisor = createSupervisor();
    const server = supervisor.supervise(echoServer());
    const pid = await server.use(never, (child) => Promise.resolve(child.process.pid));
    const loose = await supervisor.stdio({ name: 'loose' }).launch(echo);
    await supervisor[Symbol.asyncDispose]();
    expect([await isAlive(pid), await isAlive(loose.pid)]).toEqual([false, false]);
    expect(supervisor.slots().used).toBe(0);
  });
});

describe('an HTTP server that we launch', () => {
  const web = `
    const { createServer } = require('node:http');
    const port = Number(process.argv[1]);
    createServer((request, response) => response.end(JSON.stringify([port, process.env.PORT])))
      .listen(port, '127.0.0.1', () => console.log('listening'));`;

  const webServer = (from: Partial<SupervisedOptions<string>> = {}): SupervisedOptions<string> => ({
    name: 'web',
    spec: () => node(web, {}, ['{{PORT}}']),
    listen: { port: { kind: 'free' }, host: '127.0.0.1' },
    connect: async (child, signal) => {
      const url = `http://127.0.0.1:${child.port}/`;
      const answers = async () => (await fetch(url, { signal }).catch(() => undefined))?.ok === true;
      await until('the server answers', () => signal.aborted || answers());
      return url;
    },
    grace,
    ...from,
  });

  it('gets a free port by its arguments and by its environment', async () => {
    const server = start().supervise(webServer());
    const seen = await server.use(never, async (url, child) => [await (await fetch(url)).json(), child.port]);
    const state = server.state();
    const port = state.status === 'ready' ? state.port : undefined;
    expect(seen).toEqual([[port, String(port)], port]);
  });

  it('gets ports of its own from a range, and a clear refusal when there is none', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    onTestFinished(() => void blocker.close());
    const { port } = blocker.address() as AddressInfo;
    const supervisor = start();
    const range = { port: { kind: 'range', from: port, to: port } as const, host: '127.0.0.1' };
    const fixed = { port: { kind: 'fixed', port } as const, host: '127.0.0.1' };
    for (const listen of [range, fixed]) {
      const error = await errorOf(supervisor.supervise(webServer({ listen })).acquire(never));
      expect(error.code).toBe('PORT_IN_USE');
    }
    expect(supervisor.slots().used).toBe(0);
    const taken = supervisor.supervise(webServer());
    const url = await taken.use(never, (found) => Promise.resolve(found));
    await taken.stop();
    const again = { port: { kind: 'fixed', port: Number(new URL(url).port) } as const, host: '127.0.0.1' };
    expect(await supervisor.supervise(webServer({ listen: again })).use(never, (found) => Promise.resolve(found))).toBe(
      url,
    );
  });

  it('is probed while it runs, and replaced when it no longer answers', async () => {
    const server = start().supervise(
      webServer({
        spec: () => node(`${web}; process.on('SIGUSR2', () => { for (;;); });`, {}, ['{{PORT}}']),
        probe: { run: (url, signal) => fetch(url, { signal }), everyMs: 50, timeoutMs: 500, maxFailures: 2 },
      }),
    );
    const pid = await server.use(never, (_url, child) => Promise.resolve(child.process.pid));
    process.kill(pid, 'SIGUSR2');
    await until('it is replaced', () => {
      const state = server.state();
      return state.status === 'ready' && state.pid !== pid;
    });
    expect(await isAlive(pid)).toBe(false);
  });
});

describe('the two ways to read the process table', () => {
  it('agree about this process', async () => {
    const [fromProc, fromPs] = await Promise.all([
      linuxProcessTable().find(process.pid),
      psProcessTable().find(process.pid),
    ]);
    expect(fromPs).toMatchObject({ pid: process.pid, groupId: fromProc?.groupId, zombie: false });
    expect(fromPs?.rssBytes).toBeGreaterThan(1_000_000);
    expect((await psProcessTable().list()).some((entry) => entry.pid === process.pid)).toBe(true);
    expect(await psProcessTable().find(4_194_303)).toBeUndefined();
    expect(await linuxProcessTable().find(4_194_303)).toBeUndefined();
  });
});
