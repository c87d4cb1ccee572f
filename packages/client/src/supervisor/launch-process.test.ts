import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import type { ExitReport } from '../error/exit-report.js';
import type { ChildJournal } from './child-journal.js';
import { launchProcess, type LaunchOptions } from './launch-process.js';
import type { ParentDeathGuard } from './parent-death-guard.js';
import type { ProcessSpec } from './program/process-spec.js';
import type { Confinement } from './sandbox/confinement.js';
import { createFakeSpawn, type SpawnedChild } from './test-support/fake-spawn.js';

const spec = { command: 'server', args: ['--stdio'], env: { TOKEN: 'hush-hush' } };
const grace = { stdinMs: 20, termMs: 20, killMs: 20 };

const rig = (failure?: () => NodeJS.ErrnoException | undefined) => {
  const { spawn, children } = createFakeSpawn(failure);
  const guarded = new Set<number>();
  const guard: ParentDeathGuard = {
    protect: (id) => void guarded.add(id),
    release: (id) => void guarded.delete(id),
    dispose: () => undefined,
  };
  const noted: string[] = [];
  const journal: ChildJournal = {
    started: (pid) => void noted.push(`started ${pid}`),
    failed: (text) => void noted.push(`failed ${text}`),
    line: (_pid, line) => void noted.push(line),
    ended: (_pid, { reason }) => void noted.push(`ended ${reason}`),
  };
  const launch = (options: LaunchOptions = {}, what: ProcessSpec = spec) =>
    launchProcess(what, { spawn, guard, journal, grace, ...options });
  return { launch, children, guarded, noted };
};

const first = (children: readonly SpawnedChild[]): SpawnedChild => {
  const [child] = children;
  if (child === undefined) throw new Error('nothing was started');
  return child;
};

let kill: MockInstance<typeof process.kill>;
beforeEach(() => {
  kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
  });
});
afterEach(() => kill.mockRestore());

describe('launchProcess', () => {
  it('starts a program without a shell, in a group of its own, under the guard', async () => {
    const { launch, children, guarded, noted } = rig();
    const child = await launch();
    const { started } = first(children);
    expect(started).toMatchObject({
      command: 'server',
      args: ['--stdio'],
      options: { env: spec.env, shell: false, detached: true },
    });
    expect([...guarded]).toEqual([child.pid]);
    expect(noted).toEqual([`started ${child.pid}`]);
    child.stdin.write('hello');
    expect(first(children).input()).toBe('hello');
  });

  it('reports the exit once, with the last lines of stderr, redacted', async () => {
    const { launch, children, guarded, noted } = rig();
    const child = await launch({ secrets: ['hush-hush'] });
    first(children).stderr.write('the token hush-hush is wrong\nbye');
    await vi.waitFor(() => expect(child.stderrTail()).toHaveLength(2), 20_000);
    first(children).end(3);
    const report = await child.exited;
    expect(report).toMatchObject({ code: 3, signal: null, reason: 'exited' } satisfies Partial<ExitReport>);
    expect(report.stderrTail.join('|')).toMatch(/^the token (?!hush).* is wrong\|bye$/u);
    expect(noted.join('|')).not.toContain('hush-hush');
    expect(noted.at(-1)).toBe('ended exited');
    expect(guarded.size).toBe(0);
    // The rest of its group goes with the leader.
    expect(kill).toHaveBeenCalledWith(-child.pid, 'SIGKILL');
    await child.stop();
  });

  it('reports a signal, and quotes stdout of programs that listen on a port', async () => {
    const { launch, children } = rig();
    const child = await launch({ stdout: 'tail' });
    first(children).stdout.write('listening\n');
    first(children).end(null, 'SIGSEGV');
    expect(await child.exited).toMatchObject({ signal: 'SIGSEGV', reason: 'signalled', stderrTail: ['listening'] });
  });

  it('stops a program by closing its stdin, and keeps the first reason', async () => {
    const { launch, children } = rig();
    const child = await launch();
    const stopped = child.stop('memory-limit', '2 of 1 MB');
    const again = child.stop('stopped');
    first(children).end(0);
    await Promise.all([stopped, again]);
    expect(await child.exited).toMatchObject({ reason: 'memory-limit', detail: '2 of 1 MB' });
    expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual([]);
  });

  it('sends SIGTERM, then SIGKILL to a group that stays', async () => {
    const { launch, children } = rig();
    const child = await launch();
    kill.mockImplementation((_pid, signal) => {
      if (signal === 'SIGKILL') first(children).end(null, 'SIGKILL');
      return true;
    });
    await child.stop();
    const signals = kill.mock.calls.map(([, signal]) => signal).filter((signal) => signal !== 0);
    expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
    expect(await child.exited).toMatchObject({ reason: 'stopped', signal: 'SIGKILL' });
  });

  it('says why a program cannot be started', async () => {
    const { launch, noted } = rig(() => Object.assign(new Error('spawn server ENOENT'), { code: 'ENOENT' }));
    await expect(launch()).rejects.toMatchObject({ code: 'PROCESS_NOT_STARTED' });
    expect(noted).toEqual([expect.stringMatching(/^failed /u)]);
  });

  it('starts nothing for a caller who has cancelled, and nothing without its sandbox', async () => {
    const { launch, children } = rig();
    await expect(launch({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(children).toEqual([]);
    const confinement: Confinement = {
      confine: () => Promise.resolve({ command: 'bwrap', args: ['server'], env: {}, cwd: '/' }),
      mechanism: () => Promise.reject(new Error('not asked')),
    };
    const child = await launch({ confinement }, { ...spec, sandbox: {} });
    expect(first(children).started.command).toBe('bwrap');
    first(children).end(128 + 9);
    expect(await child.exited).toMatchObject({ signal: 'SIGKILL', code: null });
  });
});
