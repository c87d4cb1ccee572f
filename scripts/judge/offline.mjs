// Runs the command again where there is no network but loopback: a namespace of Linux, when it can be had.
import { spawn, spawnSync } from 'node:child_process';
import { passSignalsTo } from './left-behind.mjs';

const MARK = 'PLUGBOARD_JUDGE_OFFLINE';
const INSIDE = 'ip link set lo up && exec "$0" "$@"';

/** True when this process may go on; else the command has been carried out already, and its exit code is set. */
export const isOffline = async () => {
  if (process.env[MARK] !== undefined) return true;
  const unshare = ['-rn', 'sh', '-c', INSIDE];
  if (spawnSync('unshare', [...unshare, 'true'], { stdio: 'ignore' }).status !== 0) {
    console.warn('No network namespace can be had here: the servers are kept offline by proxies that do not exist.');
    return true;
  }
  const inside = spawn('unshare', [...unshare, process.execPath, ...process.argv.slice(1)], {
    // The pipe tells the other process when this one has ended, even if it was killed.
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, [MARK]: '1' },
  });
  passSignalsTo(inside);
  process.exitCode = await new Promise((resolve) => inside.once('close', (code) => resolve(code ?? 1)));
  return false;
};

/** The pipe from the process that started this one, where there is one. */
export const starter = () => (process.env[MARK] === undefined ? undefined : process.stdin);
