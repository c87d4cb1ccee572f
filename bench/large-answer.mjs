// Does the memory of a hub return to its former level after a large answer? `node bench/large-answer.mjs [megabytes] [calls]`
// lets a client get an answer of so many megabytes (20 by default), so often (3), and prints the memory of the hub before,
// right after, and for a minute from then on. TRANSPORT=stdio takes a program in place of a server behind a URL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { answerTo } from './large-answer-server.mjs';

const [megabytes = 20, calls = 3] = process.argv.slice(2).map(Number);
const TRANSPORT = process.env.TRANSPORT ?? 'http';
const MINUTE = 60_000;

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString());
    if (message.id === undefined) response.writeHead(202).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answerTo(message, megabytes));
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const home = await mkdtemp(join(tmpdir(), 'large-answer-'));
const hub = spawn(process.execPath, ['packages/plugboard/dist/main.js', 'serve', '--port', '0', '--home', home], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, PLUGBOARD_LOG_LEVEL: 'error' },
});
let output = '';
for await (const chunk of hub.stdout) {
  output += chunk;
  if (output.includes('running at')) break;
}
const url = /http:\/\/[\w.:]+/u.exec(output)[0];
const { key } = JSON.parse(await readFile(join(home, 'hub.json'), 'utf8'));
const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };

const sleep = (ms) => new Promise((next) => setTimeout(next, ms));
const memory = async () => {
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const of = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(text)?.[1] ?? Number.NaN) / 1e6;
  return { rss: of('process_resident_memory_bytes'), heap: of('nodejs_heap_used_bytes') };
};
const shown = ({ rss, heap }) => `resident ${rss.toFixed(0)} MB, heap ${heap.toFixed(0)} MB`;

try {
  const config =
    TRANSPORT === 'stdio'
      ? {
          mcp_server_type: 'stdio',
          command: process.execPath,
          args: [resolve('bench/large-answer-server.mjs'), String(megabytes)],
        }
      : { mcp_server_type: 'streamable_http', server_url: `http://127.0.0.1:${server.address().port}/mcp` };
  const registered = await fetch(`${url}/v1/mcp-servers`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ server_name: 'large', config }),
  });
  if (!registered.ok) throw new Error(await registered.text());
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  const call = async (name) => {
    const { content } = await client.callTool({ name: `large__${name}`, arguments: {} });
    return content;
  };
  for (let each = 0; each < 200; each += 1) await call('small');
  await sleep(10_000);
  console.log(`before: ${shown(await memory())}`);
  for (let each = 0; each < calls; each += 1) {
    const content = await call('large');
    if (each === 0) console.log(`the answer ends with: ${content.at(-1).text.slice(-300)}`);
  }
  const since = performance.now();
  while (performance.now() - since < MINUTE + 1000) {
    console.log(`${((performance.now() - since) / 1000).toFixed(0).padStart(3)} s later: ${shown(await memory())}`);
    await sleep(MINUTE / 6);
  }
  await client.close();
} finally {
  const exited = once(hub, 'exit');
  hub.kill('SIGTERM');
  await exited;
  server.closeAllConnections();
  server.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();
