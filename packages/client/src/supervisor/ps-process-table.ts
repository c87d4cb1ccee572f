import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessEntry, ProcessTable } from './process-table.js';

const run = promisify(execFile);
const deadlineMs = 5_000;
const columns = 'pid=,pgid=,stat=,rss=,lstart=,command=';

/** "12 12 Ss 1024 Mon Nov 16 03:40:00 2026 node server.js" */
const line = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\d+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s?(.*)$/u;

export const parsePsLine = (text: string): ProcessEntry | undefined => {
  const match = line.exec(text);
  if (match === null) return undefined;
  const [, pid = '', groupId = '', state = '', rssKib = '', startedAt = '', commandLine = ''] = match;
  return {
    pid: Number(pid),
    groupId: Number(groupId),
    zombie: state.startsWith('Z'),
    startedAt: startedAt.replaceAll(/\s+/gu, ' '),
    commandLine: commandLine.trim(),
    rssBytes: Number(rssKib) * 1_024,
  };
};

const ask = async (selection: readonly string[]): Promise<readonly ProcessEntry[]> => {
  try {
    const { stdout } = await run('ps', [...selection, '-ww', '-o', columns], {
      timeout: deadlineMs,
      maxBuffer: 16 * 1_024 * 1_024,
    });
    return stdout
      .split('\n')
      .map(parsePsLine)
      .filter((entry) => entry !== undefined);
  } catch {
    // ps exits with 1 when nothing matches.
    return [];
  }
};

/** For systems without /proc. */
export const psProcessTable = (): ProcessTable => ({
  async find(pid) {
    return (await ask(['-p', String(pid)]))[0];
  },
  list: () => ask(['-ax']),
});
