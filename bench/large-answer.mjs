// Does the memory of a hub return to its former level after a large answer? `node bench/large-answer.mjs [megabytes] [calls]`
// lets a client get an answer of so many megabytes (20 by default), so often (3), and prints the memory of the hub before,
// right after, and for a minute from then on. TRANSPORT=stdio takes a program in place of a server behind a URL.
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { answerTo } from './large-answer-server.mjs';
import { startBuiltHub } from './support/built-hub.mjs';
import { startPostServer } from './support/post-server.mjs';

const [megabytes = 20, calls = 3] = process.argv.slice(2).map(Number);
const TRANSPORT = process.env.TRANSPORT ?? 'http';
const MINUTE = 60_000;

const server = await startPostServer((message) => answerTo(message, megabytes));
const hub = await startBuiltHub();
const { url, headers } = hub;

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
      : server.config;
  await hub.ask('POST', '/v1/mcp-servers', { server_name: 'large', config });
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
  await hub.close();
  server.close();
}
process.exit();
