// What the hub costs between a client and a server, beside a bare proxy and a relay made of the official SDK.
// All stand at once; each round visits every one of them, so that whatever else the machine does falls on all alike.
// CPU is user and system time of the process in the middle, from /proc, per request.
// Usage: node bench/gateway.mjs [rounds] [requests per round]
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

const rounds = Number(process.argv[2] ?? 5);
const perRound = Number(process.argv[3] ?? 1000);
const BUDGET = { cpu: 1.25, throughput: 0.8, list: 1.5 };
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'plugboard-bench-'));
const TICK_US = 10_000;
const children = [];

const startPeer = (program, ...args) =>
  new Promise((resolve, reject) => {
    const child = fork(path(`gateway-peers/${program}.mjs`), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    children.push(child);
    child.once('message', ({ url }) => resolve({ url, pid: child.pid }));
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });

const startHub = () =>
  new Promise((resolve, reject) => {
    const main = path('../packages/plugboard/dist/main.js');
    const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--home', home], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const url = /running at (http:\S+)/u.exec(said)?.[1];
      if (url !== undefined) resolve({ url, pid: child.pid });
    });
    child.once('exit', (code) => reject(new Error(`the hub ended with ${code}`)));
  });

const register = async (hub, name, url) => {
  const response = await fetch(`${hub.url}/v1/mcp-servers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ server_name: name, config: { mcp_server_type: 'streamable_http', server_url: url } }),
  });
  if (!response.ok) throw new Error(`cannot register ${name}: ${await response.text()}`);
};

const cpuTicks = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
};

const requestOf = (era, method, params, session) => ({
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': era === 'modern' ? '2026-07-28' : '2025-11-25',
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
    ...(era === 'modern'
      ? { 'mcp-method': method, ...(params.name === undefined ? {} : { 'mcp-name': params.name }) }
      : {}),
  },
  params:
    era === 'modern'
      ? {
          ...params,
          _meta: {
            ...params._meta,
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        }
      : params,
});

/** A client of one endpoint; legacy ones open a session where they are given one. */
const openClient = async (url, era) => {
  const target = new URL(url);
  const pool = new Pool(target.origin, { connections: 128 });
  let id = 0;
  const send = async (method, params, session) => {
    id += 1;
    const request = requestOf(era, method, params, session);
    const answer = await pool.request({
      path: target.pathname,
      method: 'POST',
      headers: request.headers,
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: request.params }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200 || !text.includes('"result"'))
      throw new Error(`${url}: ${answer.statusCode} ${text}`);
    return answer.headers['mcp-session-id'];
  };
  const session =
    era === 'legacy'
      ? await send('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'bench', version: '1' },
        })
      : undefined;
  return { call: (method, params) => send(method, params, session), close: () => pool.close() };
};

const run = async (client, { method, params, concurrency, requests }) => {
  let left = requests;
  const times = [];
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const started = performance.now();
      await client.call(method, params);
      times.push(performance.now() - started);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { seconds: (performance.now() - started) / 1000, times };
};

const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

/** Visits every endpoint in turn and sums up what each took. */
const compare = async (endpoints, load) => {
  const sums = new Map(endpoints.map(({ name }) => [name, { ticks: 0, seconds: 0, requests: 0, times: [] }]));
  const clients = new Map();
  for (const { name, url, era } of endpoints) clients.set(name, await openClient(url, era));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, pid } of endpoints) {
      const before = pid === undefined ? 0 : cpuTicks(pid);
      const { seconds, times } = await run(clients.get(name), load);
      if (round < 0) continue;
      const sum = sums.get(name);
      sum.ticks += pid === undefined ? 0 : cpuTicks(pid) - before;
      sum.seconds += seconds;
      sum.requests += load.requests;
      sum.times.push(...times);
    }
  }
  for (const client of clients.values()) await client.close();
  return endpoints.map(({ name }) => {
    const { ticks, seconds, requests, times } = sums.get(name);
    return { name, cpuUs: (ticks * TICK_US) / requests, perSecond: requests / seconds, p50: median(times) };
  });
};

const print = (title, rows) => {
  const proxy = rows.find(({ name }) => name === 'undici proxy') ?? rows[0];
  console.log(`\n${title}`);
  console.log('| | CPU/request | × proxy | requests/s | × proxy | p50 |\n|---|---|---|---|---|---|');
  for (const { name, cpuUs, perSecond, p50 } of rows) {
    const cpu = cpuUs === 0 ? '–' : `${cpuUs.toFixed(0)} µs`;
    const times = cpuUs === 0 ? '–' : (cpuUs / proxy.cpuUs).toFixed(2);
    const rate = `${perSecond.toFixed(0)} | ${(perSecond / proxy.perSecond).toFixed(2)}`;
    console.log(`| ${name} | ${cpu} | ${times} | ${rate} | ${p50.toFixed(2)} ms |`);
  }
};

const CALL = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'hello', count: 3 } } };
const verdicts = [];

try {
  const hub = await startHub();
  for (const era of ['legacy', 'modern']) {
    for (const mode of ['json', 'sse']) {
      const upstream = await startPeer('upstream', era, mode);
      const name = `${era}-${mode}`;
      await register(hub, name, upstream.url);
      const proxy = await startPeer('undici-proxy', upstream.url);
      const endpoints = [
        { name: 'direct', url: upstream.url, era },
        { name: 'undici proxy', ...proxy, era },
        { name: 'plugboard', url: `${hub.url}/servers/${name}/mcp`, pid: hub.pid, era },
        ...(era === 'legacy' && mode === 'json'
          ? [{ name: 'SDK relay', ...(await startPeer('sdk-relay', upstream.url)), era }]
          : []),
      ];
      for (const concurrency of mode === 'json' ? [1, 16, 64] : [16]) {
        const rows = await compare(endpoints, { ...CALL, concurrency, requests: perRound });
        print(`tools/call, ${era}, ${mode}, ${concurrency} at once`, rows);
        const [, bare, own] = rows;
        if (concurrency > 1) {
          verdicts.push([`CPU ${name} ${concurrency}`, own.cpuUs / bare.cpuUs, BUDGET.cpu, 'at most']);
          verdicts.push([
            `throughput ${name} ${concurrency}`,
            own.perSecond / bare.perSecond,
            BUDGET.throughput,
            'at least',
          ]);
        }
      }
    }
  }
  const many = await startPeer('upstream', 'legacy', 'json', '50');
  for (let index = 0; index < 20; index += 1) await register(hub, `many${index}`, many.url);
  const all = await startPeer('upstream', 'legacy', 'json', '1000');
  const bare = await startPeer('undici-proxy', all.url);
  const rows = await compare(
    [
      { name: 'a server with all of them', ...all, era: 'legacy' },
      { name: 'undici proxy', ...bare, era: 'legacy' },
      { name: 'plugboard', url: `${hub.url}/mcp`, pid: hub.pid, era: 'legacy' },
    ],
    { method: 'tools/list', params: {}, concurrency: 4, requests: Math.max(20, Math.round(perRound / 20)) },
  );
  print('merged tools/list, 20 servers × 50 tools', rows);
} finally {
  for (const child of children) child.removeAllListeners('exit').kill();
  rmSync(home, { recursive: true, force: true });
}

console.log('\nbudgets');
let exceeded = false;
for (const [name, value, limit, kind] of verdicts) {
  const kept = kind === 'at most' ? value <= limit : value >= limit;
  exceeded ||= !kept;
  console.log(`${kept ? 'kept    ' : 'exceeded'}  ${name}: ${value.toFixed(2)} (${kind} ${limit})`);
}
process.exitCode = exceeded ? 1 : 0;
