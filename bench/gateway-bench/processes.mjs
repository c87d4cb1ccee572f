// Programs that stand beside each other during the benchmark, and what they use.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'plugboard-bench-'));
const children = [];
const START_MS = 30_000;

export const stopAll = () => {
  for (const child of children) child.removeAllListeners('exit').kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
};

/** Ends one of them at once. */
export const stop = async ({ child }) => {
  const exited = once(child.removeAllListeners('exit'), 'exit');
  child.kill('SIGKILL');
  await exited;
};

/** CPU of all threads of a process, in microseconds. Finer than the ticks of `stat`, which are as long as a hundred calls. */
export const cpuUs = (pid) => {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  }
  return ns / 1000;
};

const LOOK_MS = 500;
const IDLE_SHARE = 0.05;

/** Waits until a process does nothing any more: verdicts on 20,000 tools take a hub seconds. Throws when it never does. */
export const untilIdle = async (pid, longestMs = 120_000) => {
  const deadline = Date.now() + longestMs;
  for (let share = 1; share > IDLE_SHARE;) {
    if (Date.now() > deadline) throw new Error(`process ${pid} is busy after ${longestMs} ms`);
    const before = cpuUs(pid);
    await new Promise((next) => setTimeout(next, LOOK_MS));
    share = (cpuUs(pid) - before) / 1000 / LOOK_MS;
  }
};

/** One of our own programs, which tells its URL. */
export const startProgram = (program, ...args) =>
  new Promise((resolve, reject) => {
    const child = fork(path(`gateway-peers/${program}.mjs`), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    children.push(child);
    child.once('message', ({ url }) => resolve({ url, pid: child.pid }));
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });

const OWN_BUILD = path('../packages/plugboard/dist/main.js');

/** `flags` for the Node that runs it; its child process is for callers that talk to it. `main` is another build. */
export const startHub = (name = 'hub', flags = [], env = {}, main = OWN_BUILD) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, main, 'serve', '--port', '0', '--home', join(home, name)], {
      // HUB_LOG=1 shows what the hub says, such as what blocks its event loop.
      stdio: ['ignore', 'pipe', process.env.HUB_LOG === undefined ? 'ignore' : 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    });
    children.push(child);
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const url = /running at (http:\S+)/u.exec(said)?.[1];
      if (url === undefined) return;
      const { key } = JSON.parse(readFileSync(join(home, name, 'hub.json'), 'utf8'));
      resolve({ url, key, pid: child.pid, child });
    });
    child.once('exit', (code) => reject(new Error(`the hub ended with ${code}`)));
  });

/** The hub that is measured, and beside it another build of it where one is named. */
export const startHubs = async (name, against) => {
  const hubs = [{ label: 'plugboard', ...(await startHub(name)) }];
  if (against !== undefined) hubs.push({ label: 'before', ...(await startHub(`${name}-before`, [], {}, against)) });
  return hubs;
};

/** A hub that tells what its memory holds; `settings` as in its configuration file. */
export const startProbedHub = async (name = 'probed-hub', settings = {}) => {
  mkdirSync(join(home, name), { recursive: true });
  writeFileSync(join(home, name, 'plugboard.json'), JSON.stringify(settings));
  const hub = await startHub(name, ['--expose-gc', '--import', path('gateway-bench/memory-probe.mjs')]);
  const memory = async () => {
    hub.child.send('memory');
    const [{ bytes }] = await once(hub.child, 'message');
    return bytes;
  };
  return { ...hub, memory };
};

/** A hub that tells how late its event loop is; `profile` names a file for a CPU profile. */
export const startLoopProbedHub = async (profile, flags = []) => {
  const env = profile === undefined ? {} : { PROFILE: profile };
  const hub = await startHub('loop-probed-hub', [...flags, '--import', path('gateway-bench/loop-probe.mjs')], env);
  const figures = async () => {
    hub.child.send('figures');
    const [answer] = await once(hub.child, 'message');
    return answer;
  };
  return { ...hub, figures };
};

export const register = async (hub, name, config) => {
  const response = await fetch(`${hub.url}/v1/mcp-servers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${hub.key}` },
    body: JSON.stringify({ server_name: name, config }),
  });
  if (!response.ok) throw new Error(`cannot register ${name}: ${await response.text()}`);
};

export const httpServer = (url) => ({ mcp_server_type: 'streamable_http', server_url: url });
export const stdioServer = (era, bytes = 200) => ({
  mcp_server_type: 'stdio',
  command: process.execPath,
  args: [path('gateway-peers/stdio-upstream.mjs'), era, String(bytes)],
});

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

const until = async (check, what) => {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (await check().catch(() => false)) return;
    await new Promise((next) => setTimeout(next, 5));
  }
  throw new Error(`nothing usable at ${what}`);
};

const answers = (url) => until(() => fetch(url).then(() => true), url);

const startForeign = async (command, args, { port, ready = '/' }) => {
  // They leave nothing in the home of the user.
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn(command, args, { stdio: 'ignore', env });
  children.push(child);
  await answers(`http://127.0.0.1:${port}${ready}`);
  return { pid: child.pid, child };
};

const nginxConfig = (port, target) => `
daemon off; master_process off; error_log /dev/null; pid ${home}/nginx-${port}.pid;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${home}; proxy_temp_path ${home}; fastcgi_temp_path ${home};
  uwsgi_temp_path ${home}; scgi_temp_path ${home};
  upstream server { server ${target.host}; keepalive 128; }
  server {
    listen 127.0.0.1:${port} reuseport; keepalive_requests 10000000;
    location / { proxy_pass http://server; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
  }
}`;

const nginx = () => ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find((file) => existsSync(file));

/** Undefined where nginx is not installed. */
export const startNginx = async (upstream) => {
  const program = nginx();
  if (program === undefined) return undefined;
  const [port, target] = [await freePort(), new URL(upstream)];
  const file = join(home, `nginx-${port}.conf`);
  writeFileSync(file, nginxConfig(port, target));
  const { pid } = await startForeign(program, ['-c', file, '-p', home], { port });
  return { url: `http://127.0.0.1:${port}${target.pathname}`, pid };
};

const peer = (name) => {
  const file = path(`npm-peers/node_modules/.bin/${name}`);
  return existsSync(file) ? file : undefined;
};

export const INSTALL_PEERS = 'npm ci --prefix bench/npm-peers';

/** HTTP to HTTP: only mcp-hub does that, and takes calls as plain REST. */
export const startMcpHub = async (upstream) => {
  const program = peer('mcp-hub');
  if (program === undefined) return undefined;
  const port = await freePort();
  const file = join(home, 'mcp-hub.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { bench: { url: upstream } } }));
  const { pid, child } = await startForeign(process.execPath, [program, '--port', String(port), '--config', file], {
    port,
    ready: '/api/health',
  });
  const url = `http://127.0.0.1:${port}/api/servers/tools`;
  // It answers before it has connected to anything.
  const call = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ server_name: 'bench', tool: 'echo', arguments: { text: 'x' } }),
    });
  await until(async () => (await call()).ok, url);
  return { url, pid, child, style: 'mcp-hub' };
};

const stdioPeer = async (name, args) => {
  const program = peer(name);
  if (program === undefined) return undefined;
  const port = await freePort();
  const { pid } = await startForeign(process.execPath, [program, ...args(String(port))], { port });
  return { url: `http://127.0.0.1:${port}/mcp`, pid };
};

const upstreamCommand = [process.execPath, path('gateway-peers/stdio-upstream.mjs')];

export const startSupergateway = () =>
  stdioPeer('supergateway', (port) => [
    `--stdio=${upstreamCommand.join(' ')}`,
    '--outputTransport=streamableHttp',
    '--stateful',
    `--port=${port}`,
    '--logLevel=none',
  ]);

export const startMcpProxy = () =>
  stdioPeer('mcp-proxy', (port) => ['--host=127.0.0.1', `--port=${port}`, '--server=stream', '--', ...upstreamCommand]);
