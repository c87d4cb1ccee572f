// An honest agent and its server beside a hostile agent and a hostile server, on one hub. Quiet and attacked windows take
// turns, so that whatever else the machine does falls on both. Every call of the honest agent must succeed, its p99 under
// attack must stay within three times the quiet one, and the memory of the hub within a budget.
// The hostile programs are processes of their own that run when nobody else wants the processor (SCHED_IDLE, else nice 19):
// the hub cannot defend the processor against other processes, and they would win it on a machine with two cores.
// The honest agent and its server run in this process. In life they are on other machines, so by default they do not wait
// for a processor of this one: real-time priority, in quiet windows too (`--honest same` gives them ordinary priority; both
// figures are in docs/performance.md). The hub has ordinary priority and default settings in either case, so its own waits count.
// Only the ratio holds on another machine. Run it on an idle one: beside other work the hostile programs get less done.
//   npm run build && node bench/chaos-neighbours.mjs
// Options: --seconds 120 (of attack) --budget-mb 1536 --honest first|same
//   --profile FILE (of the hub under attack) --trace FILE (times of honest calls by CLOCK_MONOTONIC) --flags '…' (of the hub's Node)
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startLoopProbedHub, stopAll } from './gateway-bench/processes.mjs';

const MIB = 1024 * 1024;
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    'budget-mb': { type: 'string', default: '1536' },
    honest: { type: 'string', default: 'first' },
    profile: { type: 'string' },
    trace: { type: 'string' },
    flags: { type: 'string', default: '' },
    role: { type: 'string', default: 'bench' },
    url: { type: 'string', default: '' },
    key: { type: 'string', default: '' },
  },
});

const rpc = (id, method, params = {}) => ({ jsonrpc: '2.0', id, method, params });

const post = async (url, body, key, more = {}) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      ...more,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, session: response.headers.get('mcp-session-id'), text: await response.text() };
};

/** A server whose calls of tools are answered by `call`. */
const startServer = async (call, tools = [{ name: 'plain', inputSchema: { type: 'object' } }]) => {
  const take = async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return response.writeHead(202).end();
    const answer = (result) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    const serverInfo = { name: 'bench', version: '1' };
    if (method === 'initialize') {
      return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    }
    if (method === 'tools/list') return answer({ tools });
    return call({ id, response, answer });
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}/mcp`;
};

const hostileCall = () => {
  let turn = 0;
  const large = 'x'.repeat(20 * MIB);
  return ({ id, response, answer }) => {
    turn += 1;
    const json = { 'content-type': 'application/json' };
    switch (turn % 5) {
      case 0:
        return answer({ content: [{ type: 'text', text: large }] });
      case 1:
        return response.writeHead(200, json).end(`{"jsonrpc":"2.0","id":${id},"result":[${'[],'.repeat(2_000_000)}0]}`);
      case 2:
        return response
          .writeHead(200, json)
          .end(JSON.stringify({ jsonrpc: '2.0', id: id + 1, result: { content: [] } }));
      case 3:
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return response.end(`${':\n'.repeat(500_000)}data: {}\n\n`);
      default:
        return response.destroy();
    }
  };
};

/** Attacks between `go` and `stop`. */
const gate = () => {
  let open;
  let count = 0;
  let opened = new Promise((resolve) => (open = resolve));
  process.on('message', (message) => {
    if (message === 'go') open();
    else if (message === 'stop') opened = new Promise((resolve) => (open = resolve));
    else process.send({ attacks: count });
  });
  return () => opened.then(() => (count += 1));
};

const attack = async (url, key) => {
  const mayGo = gate();
  const endpoint = `${url}/servers/hostile/mcp`;
  const clientInfo = (name) => ({
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name, version: '1' },
  });
  const attacks = [
    () => post(endpoint, rpc(1, 'tools/call', { name: 'plain' }), key),
    () => post(endpoint, rpc(1, 'tools/call', { name: 'plain', arguments: { a: 'x'.repeat(3.9 * MIB) } }), key),
    () => post(endpoint, rpc(1, 'initialize', clientInfo('x'.repeat(3.9 * MIB))), key),
    () => post(endpoint, rpc(1, 'initialize', clientInfo('x')), key),
    () =>
      post(
        endpoint,
        Array.from({ length: 8000 }, (_, id) => rpc(id, 'ping')),
        key,
        { 'mcp-protocol-version': '2025-03-26' },
      ),
    () => post(endpoint, '['.repeat(3 * MIB), key),
    () => fetch(`${url}/login`, { method: 'POST', body: 'x'.repeat(3.9 * MIB) }),
    async () => {
      const { port, host } = new URL(url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write(
        `POST /mcp HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 4000000\r\n\r\n{"a":"${'x'.repeat(100_000)}`,
      );
      await sleep(500);
      socket.destroy();
    },
  ];
  await Promise.all(
    Array.from({ length: 8 }, async (_, first) => {
      for (let turn = first; ; turn += 1) {
        await mayGo();
        await attacks[turn % attacks.length]().catch(() => undefined);
        await sleep(5);
      }
    }),
  );
};

/** Of the clock that other processes and the system share. */
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

let arrivedMs = 0;
const honestAnswer = ({ answer }) => {
  arrivedMs = nowMs();
  answer({ content: [{ type: 'text', text: 'done' }] });
};

/** Calls one after the other, and adds how long each took. */
const honestCalls = async (hub, key, seconds, into) => {
  const until = nowMs() + seconds * 1000;
  for (let id = 1; nowMs() < until; id += 1) {
    const started = nowMs();
    const { text } = await post(`${hub.url}/servers/honest/mcp`, rpc(id, 'tools/call', { name: 'plain' }), key);
    const ended = nowMs();
    into.times.push(ended - started);
    into.calls.push([started, arrivedMs, ended]);
    if (!text.includes('"done"')) into.failed += 1;
    await sleep(5);
  }
};

const residentMib = (pid) => Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** A part of this program as a process that gets the processor when nobody else wants it. */
const startHostile = (role, ...args) => {
  const hasChrt = spawnSync('chrt', ['--version']).status === 0;
  const [program, ...options] = hasChrt ? ['chrt', '--idle', '0'] : ['nice', '-n', '19'];
  return spawn(program, [...options, process.execPath, fileURLToPath(import.meta.url), '--role', role, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
};

/** Puts the main thread of this process, the honest agent and its server, before everything with ordinary priority. */
const runFirst = () => {
  const { status } = spawnSync('chrt', ['--rr', '--pid', '1', String(process.pid)]);
  if (status !== 0) throw new Error('chrt cannot give real-time priority here. Run as root, or use --honest same.');
};

const QUIET_SECONDS = 5;
const ATTACK_SECONDS = 10;
/** What an attack left behind is not part of a quiet window. */
const SETTLE_SECONDS = 2;

const newWindows = () => ({ times: [], calls: [], failed: 0, seconds: 0, windows: [] });

const inWindow = async (hub, key, seconds, into) => {
  await hub.figures();
  await honestCalls(hub, key, seconds, into);
  into.windows.push(await hub.figures());
  into.seconds += seconds;
};

const report = (name, { times, failed, seconds, windows }) => {
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  const sum = (key) => windows.reduce((total, each) => total + each[key], 0);
  const middle = (key) => windows.map((each) => each[key]).sort((one, other) => one - other)[windows.length >> 1];
  const ms = (value) => `${value.toFixed(1)} ms`;
  const [p50, p99] = [at(0.5), at(0.99)];
  console.log(
    `${name.padEnd(9)} ${String(times.length).padStart(6)} calls  ${failed} failed  p50 ${ms(p50)}  p90 ${ms(at(0.9))}  p99 ${ms(p99)}  max ${ms(times.at(-1))}`,
  );
  console.log(
    `          hub: CPU ${((sum('cpuMs') / seconds / 1000) * 100).toFixed(0)} % of a core, garbage collection ${((sum('collectingMs') / seconds / 1000) * 100).toFixed(1)} %, loop delay p50 ${ms(middle('delayP50'))} p99 ${ms(middle('delayP99'))} max ${ms(Math.max(...windows.map(({ delayMax }) => delayMax)))}`,
  );
  return { failed, p50, p99 };
};

const bench = async () => {
  const hub = await startLoopProbedHub(
    values.profile,
    values.flags.split(' ').filter((flag) => flag !== ''),
  );
  const register = async (name, url) => {
    const body = { server_name: name, config: { mcp_server_type: 'streamable_http', server_url: url } };
    await post(`${hub.url}/v1/mcp-servers`, body, hub.key);
  };
  const keyOf = async (name) =>
    JSON.parse((await post(`${hub.url}/v1/keys`, { name, role: 'operator' }, hub.key)).text).key;
  await register('honest', await startServer(honestAnswer));
  const [mine, theirs] = [await keyOf('honest'), await keyOf('hostile')];
  const server = startHostile('server');
  const agent = startHostile('agent', '--url', hub.url, '--key', theirs);
  let resident = 0;
  const look = setInterval(() => (resident = Math.max(resident, residentMib(hub.pid))), 200);
  try {
    const [{ url }] = await once(server, 'message');
    await register('hostile', url);
    if (values.honest === 'first') runFirst();
    const [warmUp, quiet, attacked] = [newWindows(), newWindows(), newWindows()];
    await honestCalls(hub, mine, 10, warmUp);
    hub.child.send('profile');
    while (attacked.seconds < Number(values.seconds)) {
      await inWindow(hub, mine, QUIET_SECONDS, quiet);
      agent.send('go');
      await inWindow(hub, mine, ATTACK_SECONDS, attacked);
      agent.send('stop');
      await honestCalls(hub, mine, SETTLE_SECONDS, warmUp);
    }
    hub.child.send('profiled');
    if (values.trace !== undefined) {
      writeFileSync(values.trace, JSON.stringify({ hub: hub.pid, quiet: quiet.calls, attacked: attacked.calls }));
    }
    agent.send('count');
    const [{ attacks }] = await once(agent, 'message');
    console.log(
      `honest agent and server: ${values.honest === 'first' ? 'real-time' : 'ordinary'} priority; hub: ordinary priority`,
    );
    const [calm, rough] = [report('quiet', quiet), report('attacked', attacked)];
    const ratio = rough.p99 / calm.p99;
    const budget = Number(values['budget-mb']);
    console.log(
      `attacked / quiet: p50 ${(rough.p50 / calm.p50).toFixed(2)}, p99 ${ratio.toFixed(2)} (at most 3); ${attacks} attacks in ${attacked.seconds} s`,
    );
    console.log(`memory of the hub: at most ${resident.toFixed(0)} MiB resident (budget ${budget})`);
    const failed = calm.failed + rough.failed + warmUp.failed;
    process.exitCode = failed === 0 && ratio <= 3 && resident <= budget ? 0 : 1;
    if (values.profile !== undefined) await sleep(3000);
  } finally {
    clearInterval(look);
    agent.kill('SIGKILL');
    server.kill('SIGKILL');
    stopAll();
  }
  process.exit();
};

if (values.role === 'server') {
  const wide = { name: 'wide', description: 'x'.repeat(MIB), inputSchema: { type: 'object' } };
  process.send({ url: await startServer(hostileCall(), [{ name: 'plain', inputSchema: { type: 'object' } }, wide]) });
} else if (values.role === 'agent') {
  await attack(values.url, values.key);
} else {
  await bench();
}
