import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { SandboxSettings } from '@plugboard/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchProcess, type LaunchedProcess } from '../launch-process.js';
import { linuxProcessTable } from '../linux-process-table.js';
import { isAlive } from '../test-support/processes.js';
import { until } from '../test-support/until.js';
import { createConfinement } from './confinement.js';
import { MECHANISMS } from './sandbox-mechanism.js';

const at = await realpath(await mkdtemp(join(tmpdir(), 'plugboard-confined-')));
const home = join(at, 'hub');
await mkdir(join(at, 'data'), { recursive: true });
await mkdir(home);
await writeFile(join(home, 'master.key'), 'the-master-key');
await writeFile(join(at, 'data/note'), 'a note');
const confinementBy = (...mechanisms: readonly (typeof MECHANISMS)[number][]) =>
  createConfinement({ root: join(home, 'sandbox'), hidden: [home], mechanisms });
const usable = new Map<string, boolean>();
for (const name of MECHANISMS) usable.set(name, (await confinementBy(name).mechanism()).found !== undefined);

const listener = createServer((socket) => socket.end());
beforeAll(() => new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  listener.close();
  await rm(at, { recursive: true, force: true });
});

const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: join(at, 'user') };

describe.each(MECHANISMS.filter((name) => usable.get(name)))('a program in a sandbox of %s', (name) => {
  const confinement = confinementBy(name);
  const start = (script: string, sandbox: SandboxSettings = {}): Promise<LaunchedProcess> =>
    launchProcess({ command: 'sh', args: ['-c', script], env, cwd: at, sandbox }, { confinement });
  const run = async (script: string, sandbox?: SandboxSettings) => {
    const child = await start(script, sandbox);
    const [out, end] = await Promise.all([text(child.stdout), child.exited]);
    return { out, ...end };
  };
  const firstLine = async (child: LaunchedProcess): Promise<string> => {
    for await (const chunk of child.stdout) return String(chunk).trim();
    return '';
  };

  it('speaks over its streams and tells how it ended', async () => {
    const child = await start('read line; echo "$line"; echo trouble >&2; exit 7');
    child.stdin.write('hello\n');
    expect(await text(child.stdout)).toBe('hello\n');
    expect(await child.exited).toMatchObject({ code: 7, signal: null, reason: 'exited', stderrTail: ['trouble'] });
  });

  it('tells the signal that ended it', async () => {
    expect(await run('kill -KILL $$')).toMatchObject({ code: null, signal: 'SIGKILL', reason: 'signalled' });
  });

  it('reads the system, and changes nothing', async () => {
    const { out } = await run('test -r /usr/bin/env && echo reads; for p in / /usr /etc; do touch $p/x 2>&1; done');
    expect(out).toMatch(/^reads\n(?:.*Read-only file system\n){3}$/u);
  });

  it('has no rights over the system, also when we have', async () => {
    const { out } = await run(
      'grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status; umount /usr 2>/dev/null; echo $?; test -w /proc/sys/kernel/core_pattern; echo $?',
    );
    expect(out).toMatch(/CapEff:\s0+\nCapBnd:\s0+\nNoNewPrivs:\s1\n(?!0)\d+\n1\n$/u);
  });

  it('sees no process, no home and no file of others', async () => {
    const { out } = await run(
      `ls ${at} ~ /home /root /run /var 2>/dev/null | grep -v : ; ls /proc | grep -c "^[0-9]"; cat /etc/shadow`,
    );
    expect(Number(out.trim().split('\n').at(-1))).toBeLessThan(8);
    expect(out).not.toMatch(/data|hub|root:/u);
  });

  it('never sees the home of the hub, also within what it may read', async () => {
    const { out } = await run(`cat ${at}/data/note; ls -A ${home}; cat ${home}/master.key; cat ../*/*/master.key`, {
      read_only: [at],
    });
    expect(out).toBe('a note');
  });

  it('writes where it may, and only there', async () => {
    const settings = { writable: [join(at, 'data')], read_only: [at] };
    await expect(run('true', { writable: [at] })).rejects.toMatchObject({ code: 'PROCESS_NOT_STARTED' });
    await run(`echo new > ${at}/data/new-${name}; echo bad > ${at}/bad`, settings);
    expect(await readFile(join(at, `data/new-${name}`), 'utf8')).toBe('new\n');
    await expect(readFile(join(at, 'bad'))).rejects.toThrow('ENOENT');
  });

  it('opens no connection to this machine unless it has a network', async () => {
    const { port } = listener.address() as AddressInfo;
    const script = `require('net').connect(${port}, '127.0.0.1').on('connect', () => { console.log('connected'); process.exit() }).on('error', (e) => console.log(e.code))`;
    const node = async (sandbox: SandboxSettings) => {
      const spec = { command: process.execPath, args: ['-e', script], env, cwd: '/', sandbox };
      const child = await launchProcess(spec, { confinement });
      return text(child.stdout);
    };
    expect(await node({})).toMatch(/^(?:ECONNREFUSED|ENETUNREACH)\n$/u);
    expect(await node({ network: true })).toBe('connected\n');
  });

  it('has the environment that it was given', async () => {
    const { out } = await run('env');
    expect(out.split('\n').map((line) => line.split('=')[0])).not.toContain('USER');
    expect(out).toContain(`HOME=${env.HOME}`);
  });

  it('loads its own libraries, and not into what builds the sandbox', async () => {
    const own = { ...env, LD_PRELOAD: '/nothing.so', ENV: '/nothing', TOKEN: 'a' };
    const spec = { command: 'sh', args: ['-c', 'echo "$LD_PRELOAD $ENV $TOKEN"'], env: own, cwd: '/', sandbox: {} };
    const outside = await confinement.confine(spec);
    expect(Object.keys(outside.env).toSorted()).toEqual(['HOME', 'PATH', 'TOKEN']);
    const child = await launchProcess(spec, { confinement });
    expect(await text(child.stdout)).toBe('/nothing.so /nothing a\n');
  });

  it('may tidy up when it is stopped', async () => {
    const child = await start(`trap 'echo tidied >&2; exit 0' TERM; echo ready; while :; do sleep 0.05; done`);
    await firstLine(child);
    await child.stop();
    expect(await child.exited).toMatchObject({ reason: 'stopped', stderrTail: expect.arrayContaining(['tidied']) });
  });

  it('ends with everything that it started, also what left its group', async () => {
    const marker = `1${String(process.pid)}${name === 'bwrap' ? '1' : '2'}`;
    const child = await start(`trap '' TERM; setsid sleep ${marker} & echo ready; while :; do sleep 0.05; done`);
    await firstLine(child);
    const left = async () =>
      (await linuxProcessTable().list()).filter(
        ({ commandLine, zombie }) => !zombie && commandLine === `sleep ${marker}`,
      );
    await until('as many as expected run', async () => (await left()).length === 1);
    await child.stop();
    await until('as many as expected run', async () => (await left()).length === 0);
    expect(await isAlive(child.pid)).toBe(false);
  });

  it('counts all of its memory to its group', async () => {
    const child = await start('sleep 60 & echo ready; wait');
    await firstLine(child);
    const names = (await linuxProcessTable().list())
      .filter(({ groupId }) => groupId === child.pid)
      .map(({ commandLine }) => commandLine);
    expect(names).toContain('sleep 60');
    await child.stop();
  });
});

describe.each(MECHANISMS.filter((name) => !usable.get(name)))('without a usable %s', (name) => {
  it('refuses to start the program and says why', async () => {
    const spec = { command: 'sh', args: ['-c', 'echo ran'], env, cwd: '/', sandbox: {} };
    await expect(launchProcess(spec, { confinement: confinementBy(name) })).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      hint: expect.stringContaining(`${name}: `) as string,
    });
  });
});

describe('a program that may only run in a sandbox', () => {
  const spec = { command: 'sh', args: ['-c', `echo ran > ${at}/ran`], env, cwd: '/', sandbox: {} };

  it('is not started where there is none', async () => {
    await expect(launchProcess(spec, { confinement: confinementBy() })).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      hint: expect.stringContaining('Install bubblewrap') as string,
    });
    const elsewhere = createConfinement({ platform: 'darwin' });
    await expect(launchProcess(spec, { confinement: elsewhere })).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      hint: expect.stringContaining('Linux') as string,
    });
    await expect(readFile(join(at, 'ran'))).rejects.toThrow('ENOENT');
  });

  it('can run on this machine: at least one mechanism works where tests run', () => {
    expect([...usable.values()]).toContain(true);
  });
});
