import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { systemProcessTable } from '../process-table.js';

const table = systemProcessTable();
const run = promisify(execFile);

/** What a child of a test runs in: enough to find programs. */
export const testEnvironment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };

/** A pid that is certainly one: a signal to 0 would reach the test itself. */
export const sure = (pid: number | undefined): number => {
  if (pid === undefined || !Number.isSafeInteger(pid) || pid <= 1) throw new Error('there is no such process');
  return pid;
};

export const isAlive = async (pid: number): Promise<boolean> => {
  const entry = await table.find(pid);
  return entry !== undefined && !entry.zombie;
};

/** The live processes whose command line contains the mark. */
export const marked = async (mark: string): Promise<readonly number[]> =>
  (await table.list()).filter((entry) => !entry.zombie && entry.commandLine.includes(mark)).map((entry) => entry.pid);

export const markedGroups = async (mark: string): Promise<ReadonlySet<number>> =>
  new Set((await table.list()).filter((entry) => entry.commandLine.includes(mark)).map((entry) => entry.groupId));

export const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

/** Children of this process that ended and were not taken note of. */
export const zombies = async (): Promise<number> => {
  const { stdout } = await run('ps', ['--ppid', String(process.pid), '-o', 'stat=']);
  return stdout.split('\n').filter((state) => state.trim().startsWith('Z')).length;
};
