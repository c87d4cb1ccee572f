// An honest agent and its server, beside a hostile agent and a hostile server, on one hub: first quiet, then under attack.
// Every call of the honest one must succeed, its p99 must stay within three times the quiet one, and the memory of the hub
// within a budget. Attackers run in a process of their own. Only the ratio means something on another machine.
//   npm run build && node bench/chaos-neighbours.mjs
// Options: --seconds 120 --budget-mb 1536
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startHub, stopAll } from './gateway-bench/processes.mjs';

const MIB = 1024 * 1024;
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    'budget-mb': { type: 'string', default: '1536' },
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
    if (method === 'initialize')
      return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
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

const attack = async (url, key) => {
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
        await attacks[turn % attacks.length]().catch(() => undefined);
        await sleep(5);
      }
    }),
  );
};

const honestCalls = async (hub, key, seconds) => {
  const times = [];
  let failed = 0;
  const until = performance.now() + seconds * 1000;
  for (let id = 1; performance.now() < until; id += 1) {
    const started = performance.now();
    const { text } = await post(`${hub.url}/servers/honest/mcp`, rpc(id, 'tools/call', { name: 'plain' }), key);
    times.push(performance.now() - started);
    if (!text.includes('"done"')) failed += 1;
    await sleep(5);
  }
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { calls: times.length, failed, p50: at(0.5), p99: at(0.99) };
};

const residentMib = (pid) => Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

const bench = async () => {
  const seconds = Number(values.seconds);
  const hub = await startHub('chaos');
  const register = async (name, url) => {
    const body = { server_name: name, config: { mcp_server_type: 'streamable_http', server_url: url } };
    await post(`${hub.url}/v1/mcp-servers`, body, hub.key);
  };
  const keyOf = async (name) =>
    JSON.parse((await post(`${hub.url}/v1/keys`, { name, role: 'operator' }, hub.key)).text).key;
  await register('honest', await startServer(({ answer }) => answer({ content: [{ type: 'text', text: 'done' }] })));
  const [mine, theirs] = [await keyOf('honest'), await keyOf('hostile')];
  await honestCalls(hub, mine, 5);
  const quiet = await honestCalls(hub, mine, Math.min(20, seconds));
  const role = (name, ...args) =>
    fork(fileURLToPath(import.meta.url), ['--role', name, ...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const server = role('server');
  const agent = role('agent', '--url', hub.url, '--key', theirs);
  let resident = 0;
  const look = setInterval(() => (resident = Math.max(resident, residentMib(hub.pid))), 200);
  try {
    const [{ url }] = await once(server, 'message');
    await register('hostile', url);
    const attacked = await honestCalls(hub, mine, seconds);
    const ratio = attacked.p99 / quiet.p99;
    const row = (name, { calls, failed, p50, p99 }) =>
      console.log(
        `${name.padEnd(10)} ${String(calls).padStart(6)} calls  ${failed} failed  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms`,
      );
    row('quiet', quiet);
    row('attacked', attacked);
    const budget = Number(values['budget-mb']);
    console.log(`p99 attacked / quiet: ${ratio.toFixed(2)} (at most 3)`);
    console.log(`memory of the hub: at most ${resident.toFixed(0)} MiB resident (budget ${budget})`);
    process.exitCode = attacked.failed === 0 && ratio <= 3 && resident <= budget ? 0 : 1;
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
} else if (values.role === 'agent') await attack(values.url, values.key);
else await bench();
