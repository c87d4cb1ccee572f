import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasLiveMember, linuxProcessTable } from './linux-process-table.js';

let proc: string;

const statOf = (name: string, state: string, groupId: number): string =>
  `7 (${name}) ${state} 1 ${groupId} ${'0 '.repeat(16)}4711 0 0`;

const add = async (pid: number, files: Readonly<Record<string, string>>): Promise<void> => {
  await mkdir(join(proc, String(pid)), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(proc, String(pid), name), text);
};

beforeAll(async () => {
  proc = await mkdtemp(join(tmpdir(), 'plugboard-proc-'));
  await mkdir(join(proc, 'sys/kernel/random'), { recursive: true });
  await writeFile(join(proc, 'sys/kernel/random/boot_id'), 'boot-1\n');
  await add(7, {
    stat: statOf('node (x) y', 'S', 7),
    cmdline: 'node\0server.js\0',
    status: 'Name:\tnode\nVmRSS:\t     12 kB\n',
  });
  await add(8, { stat: statOf('sh', 'Z', 8) });
  await add(9, {});
});
afterAll(() => rm(proc, { recursive: true, force: true }));

it('reads one process, whatever its name looks like', async () => {
  expect(await linuxProcessTable(proc).find(7)).toEqual({
    pid: 7,
    groupId: 7,
    zombie: false,
    startedAt: 'boot-1/4711',
    commandLine: 'node server.js',
    rssBytes: 12 * 1_024,
  });
  expect(await linuxProcessTable(proc).find(99)).toBeUndefined();
});

it('lists all, without those that ended in between', async () => {
  const entries = await linuxProcessTable(proc).list();
  expect(entries.map(({ pid, zombie, rssBytes }) => [pid, zombie, rssBytes])).toEqual([
    [7, false, 12 * 1_024],
    [8, true, 0],
  ]);
});

it('knows groups of which only zombies are left', async () => {
  expect([await hasLiveMember(7, proc), await hasLiveMember(8, proc), await hasLiveMember(99, proc)]).toEqual([
    true,
    false,
    false,
  ]);
});
