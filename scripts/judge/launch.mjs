// How a server of the corpus is started: in an empty folder of its own, with nothing of the user's environment but PATH.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import { clear, keepTrackOf, markOf } from './left-behind.mjs';

export const PROGRAMS = path.join(import.meta.dirname, '..', '..', 'test', 'judge');
const READY_MS = 60_000;
const NOBODY = 'http://127.0.0.1:1';

/** A cluster where nothing listens, for servers that want to be told of one. */
const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: none
contexts: [{ name: none, context: { cluster: none, user: none } }]
clusters: [{ name: none, cluster: { server: "${NOBODY}" } }]
users: [{ name: none, user: {} }]
`;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const manifestOf = async (name) =>
  JSON.parse(await readFile(path.join(PROGRAMS, 'node_modules', name, 'package.json'), 'utf8'));

const entryPoint = (manifest, wanted) => {
  const bins = typeof manifest.bin === 'string' ? { [manifest.name]: manifest.bin } : (manifest.bin ?? {});
  const chosen = bins[wanted ?? ''] ?? bins[manifest.name.split('/').at(-1)] ?? Object.values(bins)[0];
  if (chosen === undefined) throw new Error(`${manifest.name} has no executable.`);
  return path.join(PROGRAMS, 'node_modules', manifest.name, chosen);
};

/** The program, its environment and its folder; `remove` ends what still runs there and removes the folder. Programs that work for it get `mark`. */
export const prepare = async (server) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plugboard-judge-'));
  keepTrackOf(folder);
  const manifest = await manifestOf(server.package);
  const port = String(await freePort());
  const home = path.join(folder, 'home');
  const data = path.join(folder, 'data');
  for (const one of [home, data]) await mkdir(one);
  await writeFile(path.join(data, 'kubeconfig'), KUBECONFIG);
  await mkdir(path.join(data, '.moon'));
  await writeFile(path.join(data, '.moon', 'workspace.yml'), 'projects: []\n');
  const filled = (text) => text.replaceAll('{folder}', data).replaceAll('{port}', port);
  const env = Object.fromEntries(Object.entries(server.env).map(([key, value]) => [key, filled(value)]));
  return {
    version: manifest.version,
    command: [process.execPath, entryPoint(manifest, server.bin), ...server.args.map(filled)],
    // The second line of defence where the run has a network: proxies that do not exist.
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CI: '1',
      NO_COLOR: '1',
      HTTPS_PROXY: NOBODY,
      DO_NOT_TRACK: '1',
      ...markOf(folder),
      ...env,
    },
    cwd: data,
    url: server.path === undefined ? undefined : `http://127.0.0.1:${port}${server.path}`,
    port: Number(port),
    mark: markOf(folder),
    remove: () => clear(folder),
  };
};

/** Starts a program in a group of its own. */
export const spawnGroup = ({ command: [program, ...args], env, cwd }, stdio) => {
  const child = spawn(program, args, { env, cwd, stdio, detached: true });
  const exited = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`code ${code}, signal ${signal}`));
  });
  const kill = () => {
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch {
      // It has already gone.
    }
  };
  return { child, exited, kill };
};

const accepts = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Processor time of a process group so far, in milliseconds; 0 where there is no /proc. */
const cpuOfGroup = (pid) => {
  let ticks = 0;
  try {
    for (const entry of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[2]) === pid) ticks += Number(fields[11]) + Number(fields[12]);
    }
  } catch {
    // A process ended while it was looked at, or there is no /proc.
  }
  return ticks * 10;
};

/** Starts a server behind HTTP and waits until it listens. */
export const serve = async (prepared) => {
  const { child, exited, kill } = spawnGroup(prepared, ['ignore', 'ignore', 'pipe']);
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint = (complaint + chunk).slice(-2_000)));
  const state = { ended: undefined };
  void exited.then((how) => (state.ended = how));
  for (const until = Date.now() + READY_MS; Date.now() < until && state.ended === undefined; await pause(100)) {
    if (await accepts(prepared.port)) return { stop: kill, cpuMs: () => cpuOfGroup(child.pid) };
  }
  kill();
  throw new Error(`It does not listen (${state.ended ?? 'still starting'}). ${complaint.trim().slice(-300)}`);
};
