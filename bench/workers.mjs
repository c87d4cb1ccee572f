// How much more do two workers do than one? `serve` and `serve --workers 2`, the hub pinned to one core and to two (taskset),
// with plain REST, modern calls and legacy sessions, over HTTP and stdio.
// The callers and the server need cores of their own. With four cores or more they are pinned to the others, and the ratio of
// the throughputs counts. With fewer they take the cores of the workers: then what counts is the processor time of a call, of
// all processes of the hub together, because free cores could do the inverse of it. The hub then runs at a lower priority
// (nice), so that calls always wait for it: a worker that is half busy finds fewer calls in each turn, and needs more time for one.
//   npm run build && node bench/workers.mjs
// With --apart, fewer cores are divided instead: all workers get the first core, and the load and the servers the last one.
// Options: --seconds 4 --rounds 2 --callers 32 --warm-up 6 (seconds; each worker compiles for itself) --only SCENARIO --profile DIRECTORY (CPU profiles of all processes)
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuUs, httpServer, register, startProgram, stdioServer, stopAll } from './gateway-bench/processes.mjs';
import { RawConnection, rawLoad, rawPost } from './support/raw-load.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    callers: { type: 'string', default: '32' },
    'warm-up': { type: 'string', default: '6' },
    only: { type: 'string' },
    profile: { type: 'string' },
    apart: { type: 'boolean', default: false },
  },
});
const [seconds, rounds, callers] = [values.seconds, values.rounds, values.callers].map(Number);
const cores = availableParallelism();
const hasFreeCores = cores >= 4;
const isApart = values.apart && !hasFreeCores;

const profiling = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];

const JSON_TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const params = { name: 'echo', arguments: { text: 'x' } };
const message = (more) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, ...more } });

const REST = { path: 'tools/echo', headers: JSON_TYPES, body: JSON.stringify(params.arguments) };
const MODERN = {
  path: 'mcp',
  headers: { ...JSON_TYPES, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
  body: message({ _meta: META }),
};
const LEGACY = { path: 'mcp', headers: { ...JSON_TYPES, 'mcp-protocol-version': '2025-11-25' }, body: message({}) };

/** `session`: does each caller open one and keep the connection for it, or are all connections used for all sessions? */
const SCENARIOS = {
  'REST, HTTP': { ...REST, server: 'legacy' },
  'modern, HTTP': { ...MODERN, server: 'modern' },
  'sessions with connections of their own, HTTP': { ...LEGACY, server: 'legacy', session: 'own' },
  'sessions on shared connections, HTTP': { ...LEGACY, server: 'legacy', session: 'shared' },
  'modern, stdio': { ...MODERN, server: 'program' },
};

const openSession = async (connection, url, headers) => {
  const send = (body, more) =>
    connection.send(rawPost(url, { ...headers, ...more }, JSON.stringify({ jsonrpc: '2.0', ...body })));
  const introduction = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  const { head } = await send({ id: 0, method: 'initialize', params: introduction });
  const session = { 'mcp-session-id': /\r\nmcp-session-id: *(\S+)/iu.exec(head)[1] };
  await send({ method: 'notifications/initialized' }, session);
  return session;
};

/** The processes of the hub, without the programs that it runs. */
const processesOf = async ({ pid }, workers) => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return workers === 1 ? [pid] : [pid, ...children.trim().split(' ').map(Number)];
};
const cpuOf = (pids) => pids.reduce((sum, pid) => sum + cpuUs(pid), 0);

const startHub = async (workers, pinnedTo) => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-bench-'));
  const flags = ['serve', '--port', '0', '--home', home, '--workers', String(workers)];
  const priority = ['nice', '-n', hasFreeCores || isApart ? '0' : '15'];
  const program = [process.execPath, ...profiling, 'packages/plugboard/dist/main.js', ...flags];
  const child = spawn('taskset', ['-c', pinnedTo, ...priority, ...program], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PLUGBOARD_LOG_LEVEL: 'error' },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  while (!output.includes('running at')) await new Promise((next) => setTimeout(next, 50));
  const url = /http:\/\/[\w.:]+/u.exec(output)[0];
  const { key } = JSON.parse(await readFile(join(home, 'hub.json'), 'utf8'));
  const stop = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return { url, key, workers, pid: child.pid, stop };
};

const measure = async (hub, { path, headers, body, server, session }) => {
  const url = `${hub.url}/servers/${server}/${path}`;
  const fields = { ...headers, authorization: `Bearer ${hub.key}` };
  const connections = Array.from({ length: callers }, () => new RawConnection(url));
  const sessions = await Promise.all(
    connections.map(async (connection) => (session === undefined ? {} : openSession(connection, url, fields))),
  );
  const load = {
    // A connection goes to the next worker: the neighbour's is that of another one.
    connections: session === 'shared' ? [...connections.slice(1), connections[0]] : connections,
    requests: sessions.map((own) => rawPost(url, { ...fields, ...own }, body)),
  };
  await rawLoad({ ...load, seconds: Number(values['warm-up']) });
  const pids = await processesOf(hub, hub.workers);
  const before = cpuOf(pids);
  const { calls, failed, perSecond, p99 } = await rawLoad({ ...load, seconds });
  const perCall = (cpuOf(pids) - before) / calls;
  for (const connection of connections) connection.close();
  console.log(
    `  ${hub.workers} worker(s): ${perSecond.toFixed(0)} calls/s, ${failed} failed, p99 ${p99.toFixed(1)} ms, ${perCall.toFixed(0)} µs of processor time a call`,
  );
  return { perSecond, perCall };
};

const median = (numbers) => numbers.toSorted((one, two) => one - two)[Math.floor((numbers.length - 1) / 2)];

try {
  const upstreams = {
    legacy: await startProgram('upstream', 'legacy'),
    modern: await startProgram('upstream', 'modern'),
  };
  if (hasFreeCores || isApart) {
    const others = isApart ? String(cores - 1) : `2-${cores - 1}`;
    for (const pid of [process.pid, ...Object.values(upstreams).map((upstream) => upstream.pid)]) {
      execFileSync('taskset', ['-a', '-p', '-c', others, String(pid)], { stdio: 'ignore' });
    }
  }
  const hubs = [await startHub(1, '0'), await startHub(2, isApart ? '0' : '0,1')];
  try {
    for (const hub of hubs) {
      for (const [name, { url }] of Object.entries(upstreams)) await register(hub, name, httpServer(url));
      await register(hub, 'program', stdioServer('modern'));
    }
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      if (values.only !== undefined && !name.includes(values.only)) continue;
      console.log(name);
      const pairs = [];
      for (let round = 0; round < rounds; round += 1) {
        pairs.push([await measure(hubs[0], scenario), await measure(hubs[1], scenario)]);
      }
      const throughput = median(pairs.map(([one, two]) => two.perSecond / one.perSecond));
      const capacity = median(pairs.map(([one, two]) => (2 * one.perCall) / two.perCall));
      console.log(
        `  throughput ${throughput.toFixed(2)} × ${hasFreeCores ? '' : `(the load took the same ${cores} cores) `}· two free cores could do ${capacity.toFixed(2)} ×, by processor time`,
      );
    }
  } finally {
    await Promise.all(hubs.map(({ stop }) => stop()));
  }
} finally {
  stopAll();
}
process.exit();
