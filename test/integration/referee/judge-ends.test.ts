import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';

// Whatever `npm run judge` has started ends with it: a server that detached itself, and the folder that it works in.

const LEFT_BEHIND = fileURLToPath(new URL('../../../scripts/judge/left-behind.mjs', import.meta.url));

/** A judge with one folder, in which a program of another process group runs that ignores every polite signal. */
const JUDGE = `
  import { spawn } from 'node:child_process';
  import { mkdtempSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  import { clearOnSignals, keepTrackOf, markOf } from ${JSON.stringify(LEFT_BEHIND)};
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-judge-'));
  keepTrackOf(folder);
  clearOnSignals(process.argv[1] === 'started' ? process.stdin : undefined);
  const daemon = "process.on('SIGTERM', () => {}).on('SIGHUP', () => {}); console.log('up'); setInterval(() => {}, 1_000);";
  const child = spawn(process.execPath, ['-e', daemon], {
    env: { ...process.env, ...markOf(folder) },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.once('data', () => console.log(JSON.stringify({ folder, pid: child.pid })));
  setInterval(() => {}, 1_000);
`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const judges: ChildProcess[] = [];
const daemons: number[] = [];

afterEach(() => {
  for (const judge of judges.splice(0)) judge.kill('SIGKILL');
  for (const pid of daemons.splice(0).filter(isAlive)) process.kill(pid, 'SIGKILL');
});

interface Started {
  readonly judge: ChildProcess;
  readonly folder: string;
  readonly pid: number;
}

const startJudge = async (how: string): Promise<Started> => {
  const started = spawn(process.execPath, ['--input-type=module', '-e', JUDGE, how], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  judges.push(started);
  const [line] = (await once(createInterface({ input: started.stdout }), 'line')) as [string];
  const told = JSON.parse(line) as { folder: string; pid: number };
  daemons.push(told.pid);
  return { ...told, judge: started };
};

// The processes of a folder are found in /proc.
describe.runIf(process.platform === 'linux')('nothing is left behind by a judge', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('that gets %s', async (signal) => {
    const { judge, folder, pid } = await startJudge('alone');
    judge.kill(signal);
    await once(judge, 'exit');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  test('that has done its work while its starter waits', async () => {
    const done = `import { clearOnSignals } from ${JSON.stringify(LEFT_BEHIND)}; clearOnSignals(process.stdin);`;
    const judge = spawn(process.execPath, ['--input-type=module', '-e', done], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    judges.push(judge);
    expect(await once(judge, 'exit')).toEqual([0, null]);
  });

  test('whose starter has ended', async () => {
    const { judge, folder, pid } = await startJudge('started');
    judge.stdin?.destroy();
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect.poll(() => existsSync(folder)).toBe(false);
  });
});
