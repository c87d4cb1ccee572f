import { readdir, readFile } from 'node:fs/promises';
import type { ProcessEntry, ProcessTable } from './process-table.js';

/** Positions in /proc/<pid>/stat, counted after the name, which may itself contain spaces and brackets. */
const field = { state: 0, groupId: 2, startTicks: 19 } as const;

const textOf = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // The process ended in between, or is not ours to read.
    return undefined;
  }
};

/** Start times are counted from the boot, so they mean something only together with it. */
const readBootId = async (proc: string): Promise<string> =>
  (await textOf(`${proc}/sys/kernel/random/boot_id`))?.trim() ?? '';

const residentBytes = (status: string | undefined): number =>
  Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status ?? '')?.[1] ?? 0) * 1_024;

const readStat = async (proc: string, pid: number): Promise<readonly string[] | undefined> => {
  const stat = await textOf(`${proc}/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const readPids = async (proc: string): Promise<readonly number[]> =>
  (await readdir(proc)).filter((name) => /^\d+$/u.test(name)).map(Number);

const readEntry = async (proc: string, pid: number, bootId: string): Promise<ProcessEntry | undefined> => {
  const fields = await readStat(proc, pid);
  if (fields === undefined) return undefined;
  const [commandLine, status] = await Promise.all([textOf(`${proc}/${pid}/cmdline`), textOf(`${proc}/${pid}/status`)]);
  return {
    pid,
    groupId: Number(fields[field.groupId]),
    zombie: fields[field.state] === 'Z',
    startedAt: `${bootId}/${fields[field.startTicks] ?? ''}`,
    commandLine: (commandLine ?? '').replaceAll('\0', ' ').trim(),
    rssBytes: residentBytes(status),
  };
};

const PROC = '/proc';

/** @param proc where the kernel shows its processes. */
export const linuxProcessTable = (proc = PROC): ProcessTable => ({
  async find(pid) {
    return readEntry(proc, pid, await readBootId(proc));
  },
  async list() {
    const bootId = await readBootId(proc);
    const pids = await readPids(proc);
    const entries = await Promise.all(pids.map((pid) => readEntry(proc, pid, bootId)));
    return entries.filter((entry) => entry !== undefined);
  },
});

/** Does the group have a member that is more than a zombie? Signals cannot tell the difference. */
export const hasLiveMember = async (groupId: number, proc = PROC): Promise<boolean> => {
  const stats = await Promise.all((await readPids(proc)).map((pid) => readStat(proc, pid)));
  return stats.some((fields) => Number(fields?.[field.groupId]) === groupId && fields?.[field.state] !== 'Z');
};
