import { readdir, readFile } from 'node:fs/promises';

/** What a process and its descendants use at one moment. */
export interface ProcessUsage {
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly handles: number;
  readonly children: number;
  readonly threads: number;
}

const MS_PER_TICK = 10;
const PAGE_BYTES = 4_096;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly threads: number;
}

/** The fields of `/proc/<pid>/stat`; the name of the program may itself hold blanks and brackets. */
export const parseStat = (text: string): Stat | undefined => {
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const number = (index: number): number => Number(fields[index]);
  const pid = Number.parseInt(text, 10);
  if (end === -1 || !Number.isInteger(pid) || fields.length < 22) return undefined;
  return {
    pid,
    parent: number(1),
    cpuMs: (number(11) + number(12)) * MS_PER_TICK,
    threads: number(17),
    rssBytes: number(21) * PAGE_BYTES,
  };
};

const statOf = async (pid: string): Promise<readonly Stat[]> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const stat = parseStat(text);
  return stat === undefined ? [] : [stat];
};

const descendants = (root: number, all: readonly Stat[]): readonly Stat[] => {
  const own = all.filter(({ pid }) => pid === root);
  const below = (parent: number): readonly Stat[] =>
    all.flatMap((stat) => (stat.parent === parent ? [stat, ...below(stat.pid)] : []));
  return [...own, ...below(root)];
};

/** Undefined where there is no /proc, or when the process has gone. */
export const processUsage = async (root: number): Promise<ProcessUsage | undefined> => {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/u.test(name));
  const all = (await Promise.all(pids.map(statOf))).flat();
  const tree = descendants(root, all);
  if (tree.length === 0) return undefined;
  const handles = await Promise.all(tree.map(({ pid }) => readdir(`/proc/${pid}/fd`).catch(() => [])));
  const sum = (pick: (stat: Stat) => number): number => tree.reduce((total, stat) => total + pick(stat), 0);
  return {
    cpuMs: sum(({ cpuMs }) => cpuMs),
    rssBytes: sum(({ rssBytes }) => rssBytes),
    threads: sum(({ threads }) => threads),
    handles: handles.flat().length,
    children: tree.length - 1,
  };
};
