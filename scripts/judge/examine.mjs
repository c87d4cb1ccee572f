// One run of the referee on one server, in a process of its own, with what it cost.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { prepare, serve } from './launch.mjs';

const ENTRY = path.join(import.meta.dirname, 'examine-entry.mjs');
const RUN_MS = 600_000;

/** `times` of a shell: user and system time of what it waited for, in its second line. */
const childTime = (report) => {
  const [, children = ''] = report.trim().split('\n');
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/gu)].map(([, m, s]) => Number(m) * 60 + Number(s));
  return Math.round(seconds.reduce((sum, one) => sum + one, 0) * 1_000);
};

const runEntry = async (target, mark) => {
  const shell = spawn('sh', ['-c', '"$0" "$1"; times >&3', process.execPath, ENTRY], {
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    timeout: RUN_MS,
    env: { ...process.env, ...mark },
  });
  shell.stdin.end(JSON.stringify(target));
  const [output, times] = await Promise.all([text(shell.stdout), text(shell.stdio[3])]);
  if (output === '') throw new Error('The referee gave no report.');
  return { ...JSON.parse(output), cpuMs: childTime(times) };
};

/** The report of a run of this tier, what it cost, and the server as it was started. */
export const examine = async (server, { tier = 'standard', seed = 1 } = {}) => {
  const prepared = await prepare(server);
  const { command, env, cwd, url, version, mark } = prepared;
  let running;
  try {
    if (url !== undefined) running = await serve(prepared);
    const place = url === undefined ? { command, cwd, env } : { url, transport: server.transport };
    const ran = await runEntry({ ...place, name: server.name, tier, seed }, mark);
    return { ...ran, version, cpuMs: ran.cpuMs + (running?.cpuMs() ?? 0) };
  } finally {
    running?.stop();
    prepared.remove();
  }
};
