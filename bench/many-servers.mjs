// What do many servers cost? `node bench/many-servers.mjs` registers servers in steps (1,000, then 2,000 … 10,000, each with ten
// tools), and measures at each step: a registration, a sync, the lists, a search over all tools, and a call. At the end it
// starts the hub again on the same store. Time is that of the clock beside that of the processor: the latter tells on a busy machine, too.
// Options: --steps 1000,2000,5000,10000 --tools 10 --profile DIRECTORY
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { departmentTool, startDepartments } from './support/department-servers.mjs';

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '1000,2000,5000,10000' },
    tools: { type: 'string', default: '10' },
    profile: { type: 'string' },
  },
});
const steps = values.steps.split(',').map(Number);
const toolsPerServer = Number(values.tools);
const CLOCK_TICKS = 100;
const AT_ONCE = 8;
const REPEATS = 20;
const JSON_TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const startHub = async (home) => {
  const profiled = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [...profiled, 'packages/plugboard/dist/main.js', 'serve', '--port', '0', '--home', home],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, PLUGBOARD_LOG_LEVEL: 'error' } },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  while (!output.includes('running at')) {
    if (child.exitCode !== null) throw new Error(`The hub ended: ${output}`);
    await new Promise((next) => setTimeout(next, 20));
  }
  const startMs = performance.now() - began;
  const url = /http:\/\/[\w.:]+/u.exec(output)[0];
  const { key } = JSON.parse(await readFile(join(home, 'hub.json'), 'utf8'));
  const headers = { ...JSON_TYPES, authorization: `Bearer ${key}` };
  const processorMs = async () => {
    const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')[1].split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS;
  };
  const memoryMb = async () =>
    Math.round(Number(/VmRSS:\s+(\d+)/u.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024);
  const ask = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const ofMcp = body?.jsonrpc === undefined ? {} : mcpHeaders(body);
    const answer = await fetch(url + path, { method, headers: { ...headers, ...ofMcp }, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  };
  const stop = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { ask, processorMs, memoryMb, startMs, stop };
};

const round = (number) => (number < 10 ? number.toFixed(1) : String(Math.round(number)));

/** Milliseconds of the clock and of the processor for one of several. */
const measured = async (hub, label, count, work) => {
  const [began, processor] = [performance.now(), await hub.processorMs()];
  const bytes = await work();
  const wall = (performance.now() - began) / count;
  const used = ((await hub.processorMs()) - processor) / count;
  const size = bytes === undefined ? '' : `, ${(bytes / 1024).toFixed(0)} KiB`;
  console.log(`  ${label}: ${round(wall)} ms, processor ${round(used)} ms${size}`);
};

const mcpHeaders = ({ method, params }) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
});

const rpc = (method, params = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

const repeated = async (times, work) => {
  let last;
  for (let index = 0; index < times; index += 1) last = await work(index);
  return last?.length;
};

const register = async (hub, urlOf, from, to) => {
  let next = from;
  const one = async () => {
    while (next < to) {
      const index = next;
      next += 1;
      await hub.ask('POST', '/v1/mcp-servers', {
        server_name: `department-${index}`,
        config: { mcp_server_type: 'streamable_http', server_url: urlOf(index) },
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
};

/** The first entries of a list, page by page. */
const pages = async (hub, path, count) => {
  const found = [];
  for (let after = ''; found.length < count; after = `&after=${found.at(-1).id}`) {
    const page = JSON.parse(await hub.ask('GET', `${path}?limit=500${after}`));
    if (page.length === 0) break;
    found.push(...page);
  }
  return found.slice(0, count);
};

const look = async (hub, servers) => {
  const probe = (path) => () => hub.ask('GET', path);
  await measured(hub, 'sync of one server', REPEATS, () =>
    repeated(REPEATS, (index) => hub.ask('POST', `/v1/mcp-servers/department-${index % servers}/sync`)),
  );
  await measured(hub, 'GET /v1/mcp-servers?limit=100', REPEATS, () =>
    repeated(REPEATS, probe('/v1/mcp-servers?limit=100')),
  );
  await measured(hub, 'GET /v1/tools?limit=100', REPEATS, () => repeated(REPEATS, probe('/v1/tools?limit=100')));
  await measured(hub, 'GET /v1/tools?search=, a rare word', 3, () =>
    repeated(3, probe(`/v1/tools?search=${encodeURIComponent('department 77.')}`)),
  );
  await measured(hub, 'GET /servers', 3, () => repeated(3, probe('/servers')));
  await measured(hub, 'call of a tool (REST)', REPEATS, () =>
    repeated(REPEATS, (index) =>
      hub.ask('POST', `/servers/department-${index % servers}/tools/${departmentTool(index % servers, 0).name}`, {
        id: '1',
      }),
    ),
  );
  const list = () => hub.ask('POST', '/mcp', rpc('tools/list'));
  await measured(hub, 'tools/list at /mcp, first time', 1, () => repeated(1, list));
  await measured(hub, 'tools/list at /mcp', 3, () => repeated(3, list));
  const toolset = {
    name: 'searched',
    exposure: 'search',
    entries: (await pages(hub, '/v1/tools', 2000)).map(({ server_id, upstream_name }) => ({
      server_id,
      upstream_name,
    })),
  };
  const { id } = JSON.parse(await hub.ask('POST', '/v1/toolsets', toolset));
  const search = () =>
    hub.ask(
      'POST',
      '/toolsets/searched/mcp',
      rpc('tools/call', { name: 'search_tools', arguments: { query: 'invoice' } }),
    );
  await measured(hub, `search_tools in a toolset of ${toolset.entries.length}, first time`, 1, () =>
    repeated(1, search),
  );
  await measured(hub, 'search_tools', REPEATS, () => repeated(REPEATS, search));
  await hub.ask('DELETE', `/v1/toolsets/${id}`);
  console.log(`  memory: ${await hub.memoryMb()} MB`);
};

const home = await mkdtemp(join(tmpdir(), 'plugboard-bench-'));
const upstreams = await startDepartments(toolsPerServer);
let hub = await startHub(home);
try {
  let registered = 0;
  for (const step of steps) {
    console.log(`${step} servers, ${step * toolsPerServer} tools`);
    // The last hundred of a step: what one more costs beside all those.
    const last = Math.min(100, step - registered);
    await register(hub, upstreams.urlOf, registered, step - last);
    await measured(hub, 'registration of one more', last, () => register(hub, upstreams.urlOf, step - last, step));
    registered = step;
    await look(hub, step);
  }
  await hub.stop();
  hub = await startHub(home);
  console.log(
    `start on this store: ${round(hub.startMs)} ms, processor ${round(await hub.processorMs())} ms, memory ${await hub.memoryMb()} MB`,
  );
} finally {
  await hub.stop();
  upstreams.http.closeAllConnections();
  upstreams.http.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}
