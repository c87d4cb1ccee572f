import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createParentDeathGuard } from './parent-death-guard.js';
import { signalGroup } from './process-group.js';
import { identityOf } from './process-ledger.js';
import { systemProcessTable } from './process-table.js';
import { createSupervisor, type Supervisor } from './supervisor.js';
import { bundleProgram, type BundledProgram } from './test-support/bundle-program.js';
import { isAlive, marked, markedGroups, sure, testEnvironment } from './test-support/processes.js';
import { until } from './test-support/until.js';

let program: BundledProgram;
let directory: string;
let mark: string;

beforeAll(async () => {
  program = await bundleProgram('parent-program-entry.ts');
});
afterAll(() => program[Symbol.asyncDispose]());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugboard-parent-'));
  mark = `mark-${randomUUID()}`;
});
afterEach(async () => {
  for (const groupId of await markedGroups(mark)) signalGroup(groupId, 'SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

const supervisorOf = (pidDirectory: string): Supervisor => {
  const supervisor = createSupervisor({ pidDirectory });
  onTestFinished(() => supervisor[Symbol.asyncDispose]());
  return supervisor;
};

interface Parent {
  readonly process: ChildProcess;
  readonly pids: readonly number[];
}

const startParent = async (children: readonly (readonly string[])[], pidDirectory?: string): Promise<Parent> => {
  const orders = { pidDirectory, children: children.map(([command, ...args]) => ({ command, args })) };
  const parent = spawn(process.execPath, [program.path, JSON.stringify(orders)], {
    env: testEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: parent.stdout });
  const failed = once(parent, 'exit').then(() => Promise.reject(new Error('the parent did not start')));
  const [line] = (await Promise.race([once(lines, 'line'), failed])) as [string];
  failed.catch(() => undefined);
  return { process: parent, pids: JSON.parse(line) as number[] };
};

const kill = async (parent: Parent): Promise<void> => {
  const exited = once(parent.process, 'exit');
  parent.process.kill('SIGKILL');
  await exited;
};

/** A program that outlives a closed stdin, under a mark that finds it again. */
const stubborn = (): string[] => ['sh', '-c', `sleep 300 & sleep 301; : ${mark}`];

describe('when the parent is killed', () => {
  it('no child and no grandchild is left', async () => {
    const parent = await startParent([
      stubborn(),
      // Deaf to SIGTERM as well.
      ['sh', '-c', `trap "" TERM; while :; do sleep 0.1; done; : ${mark}`],
      // npx starts a shell, which starts node.
      ['npx', '-c', `node -e "setInterval(() => {}, 1000)" ${mark}`],
    ]);
    await until('npx has started node', async () => (await marked(mark)).length >= 5);
    await kill(parent);
    await until('nothing is left', async () => (await marked(mark)).length === 0);
    for (const pid of parent.pids) expect(await isAlive(pid)).toBe(false);
  });

  it('the children of others are left alone', async () => {
    const [first, second] = await Promise.all([startParent([stubborn()]), startParent([stubborn()])]);
    await kill(first);
    await until('its child is gone', async () => !(await isAlive(sure(first.pids[0]))));
    expect(await isAlive(sure(second.pids[0]))).toBe(true);
    await kill(second);
    await until('the other is gone', async () => !(await isAlive(sure(second.pids[0]))));
  });
});

describe('the guard', () => {
  const startGroup = (): ChildProcess => spawn('sh', stubborn().slice(1), { detached: true, stdio: 'ignore' });

  it('ends what is still entrusted to it when it is disposed of, and spares what was released', async () => {
    const guard = createParentDeathGuard();
    const [kept, released] = [startGroup(), startGroup()];
    for (const child of [kept, released]) guard.protect(sure(child.pid));
    guard.release(sure(released.pid));
    const ended = once(kept, 'exit');
    guard.dispose();
    await ended;
    expect(await isAlive(sure(released.pid))).toBe(true);
    guard.protect(sure(released.pid));
    process.kill(-sure(released.pid), 'SIGKILL');
    await once(released, 'exit');
  });

  it('is replaced when somebody kills it', async () => {
    const guard = createParentDeathGuard();
    const child = startGroup();
    const ours = async (): Promise<number[]> => {
      const { stdout } = spawn('ps', ['--ppid', String(process.pid), '-o', 'pid=,args=']);
      let text = '';
      for await (const chunk of stdout) text += String(chunk);
      return text
        .split('\n')
        .filter((line) => line.includes('read -r sign id') || line.includes('trap '))
        .map((line) => Number.parseInt(line, 10));
    };
    guard.protect(sure(child.pid));
    const first = sure((await ours())[0]);
    process.kill(first, 'SIGKILL');
    await until('there is another guard', async () => {
      const guards = await ours();
      return guards.length === 1 && guards[0] !== first;
    });
    const ended = once(child, 'exit');
    guard.dispose();
    await ended;
    expect(child.signalCode).toBe('SIGTERM');
  });
});

describe('the orphan reaper', () => {
  const never = new AbortController().signal;

  /** The guard dies before the parent: only the books on disk know of the child. */
  const orphan = async (): Promise<number> => {
    const parent = await startParent([stubborn()], directory);
    const guards = (await systemProcessTable().list()).filter((entry) => entry.commandLine.includes('read -r sign id'));
    parent.process.kill('SIGSTOP');
    const { stdout } = spawn('ps', ['--ppid', String(parent.process.pid), '-o', 'pid=']);
    let pids = '';
    for await (const chunk of stdout) pids += String(chunk);
    const guard = guards.find((entry) => pids.split('\n').map(Number).includes(entry.pid));
    process.kill(sure(guard?.pid), 'SIGKILL');
    await kill(parent);
    return sure(parent.pids[0]);
  };

  it('ends what a dead parent left behind, and strikes it from the books', async () => {
    const pid = await orphan();
    expect(await isAlive(pid)).toBe(true);
    const supervisor = supervisorOf(directory);
    expect(await supervisor.reapOrphans(never)).toEqual([{ name: 'child-0', pid }]);
    await until('it is gone', async () => (await marked(mark)).length === 0);
    expect(await readdir(directory)).toEqual([]);
    expect(await supervisor.reapOrphans(never)).toEqual([]);
  });

  it('ends the rest of a group whose leader is gone', async () => {
    const pid = await orphan();
    process.kill(pid, 'SIGKILL');
    await until('the leader is gone', async () => !(await isAlive(pid)));
    const groupLives = async () =>
      (await systemProcessTable().list()).some((entry) => entry.groupId === pid && !entry.zombie);
    expect(await groupLives()).toBe(true);
    const supervisor = supervisorOf(directory);
    await supervisor.reapOrphans(never);
    await until('the rest is gone', async () => !(await groupLives()));
  });

  it('spares a process that merely has the number, and the children of a living parent', async () => {
    const table = systemProcessTable();
    const innocent = spawn('sh', stubborn().slice(1), { detached: true, stdio: 'ignore' });
    const entry = await table.find(sure(innocent.pid));
    if (entry === undefined) throw new Error('the innocent process did not start');
    const dead = { pid: 4_194_303, startedAt: 'long ago', commandLineDigest: '' };
    const earlier = { ...identityOf(entry), startedAt: `${entry.startedAt}0` };
    await mkdir(directory, { recursive: true });
    const record = { name: 'innocent', child: earlier, owner: dead, launchId: 'none' };
    await writeFile(join(directory, `${entry.pid}.json`), JSON.stringify(record));
    await writeFile(join(directory, '77.json'), '{"name": "cut o');
    const living = await startParent([stubborn()], directory);
    const supervisor = supervisorOf(directory);
    expect(await supervisor.reapOrphans(never)).toEqual([]);
    expect(await isAlive(entry.pid)).toBe(true);
    expect(await isAlive(sure(living.pids[0]))).toBe(true);
    expect(await readdir(directory)).toContain(`${living.pids[0]}.json`);
    await kill(living);
    process.kill(-entry.pid, 'SIGKILL');
  });

  it('spares a process of the right time that is another program', async () => {
    const table = systemProcessTable();
    const innocent = spawn('sh', stubborn().slice(1), { detached: true, stdio: 'ignore' });
    const entry = await table.find(sure(innocent.pid));
    if (entry === undefined) throw new Error('the innocent process did not start');
    const child = { ...identityOf(entry), commandLineDigest: 'of something else' };
    const owner = { pid: 4_194_303, startedAt: 'long ago', commandLineDigest: '' };
    await writeFile(
      join(directory, `${entry.pid}.json`),
      JSON.stringify({ name: 'x', child, owner, launchId: 'none' }),
    );
    const supervisor = supervisorOf(directory);
    expect(await supervisor.reapOrphans(never)).toEqual([]);
    expect(await isAlive(entry.pid)).toBe(true);
    process.kill(-entry.pid, 'SIGKILL');
  });
});
