// How does a hub do with more stdio servers and sessions than processes? `node bench/many-processes.mjs [servers] [clients]`
// registers so many servers, connects so many legacy clients, and lets each client call each server: all at once, and then
// again. PROGRAM=sh takes a shell script that starts in milliseconds, node (the default) a plain Node program.
// MAX_PROCESSES overrides what the hub derives from the machine.
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startBuiltHub } from './support/built-hub.mjs';

const [servers = 200, clients = 5] = process.argv.slice(2).map(Number);
const PROGRAM = process.env.PROGRAM ?? 'node';
const PATIENCE = { timeout: 600_000 };
const program = {
  node: { command: process.execPath, args: [resolve('test/support/tiny-stdio-server.mjs'), 'legacy'] },
  sh: { command: '/bin/sh', args: [resolve('test/support/tiny-stdio-server.sh')] },
}[PROGRAM];

const limit = process.env.MAX_PROCESSES === undefined ? {} : { PLUGBOARD_MAX_PROCESSES: process.env.MAX_PROCESSES };
const hub = await startBuiltHub({ env: limit, stderr: 'ignore' });
const { url, headers } = hub;

const processes = async () => (await (await fetch(`${url}/ready`)).json()).processes;
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const callAll = async (label, connected, names) => {
  const began = performance.now();
  const times = [];
  const failures = new Map();
  await Promise.all(
    connected.flatMap((client, each) =>
      names.map(async (name) => {
        const arguments_ = { key: `${each}-${name}` };
        try {
          await client.callTool({ name: `${name}__note`, arguments: arguments_ }, undefined, PATIENCE);
          times.push(performance.now() - began);
        } catch (thrown) {
          const reason = [String(thrown), thrown.cause?.code ?? ''].join(' ').slice(0, 200);
          failures.set(reason, (failures.get(reason) ?? 0) + 1);
        }
      }),
    ),
  );
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => `${((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1000).toFixed(1)} s`;
  console.log(
    `${label}: ${times.length} of ${connected.length * names.length} calls in ${seconds(began)}, half of them after ${at(0.5)}`,
  );
  for (const [reason, count] of failures) console.log(`  ${count} × ${reason}`);
  return failures.size === 0;
};

try {
  let began = performance.now();
  const names = Array.from({ length: servers }, (_, index) => `s${index}`);
  const config = { mcp_server_type: 'stdio', ...program };
  await Promise.all(names.map((server_name) => hub.ask('POST', '/v1/mcp-servers', { server_name, config })));
  // A registration waits for half a minute at most; the list of a server whose turn comes later is read behind it.
  const isListed = async () =>
    Object.values((await (await fetch(`${url}/ready`)).json()).servers).every(({ state }) => state === 'ready');
  while (!(await isListed())) {
    if (performance.now() - began > PATIENCE.timeout) throw new Error('Not all servers could be listed in time.');
    await new Promise((next) => setTimeout(next, 500));
  }
  console.log(`${servers} servers listed in ${seconds(began)}; processes: ${JSON.stringify(await processes())}`);
  began = performance.now();
  const connected = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new Client({ name: 'bench', version: '1.0.0' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
        PATIENCE,
      );
      return client;
    }),
  );
  console.log(`${clients} clients connected in ${seconds(began)}`);
  const first = await callAll('first round', connected, names);
  const second = await callAll('second round', connected, names);
  console.log(`processes: ${JSON.stringify(await processes())}`);
  for (const client of connected) await client.close();
  process.exitCode = first && second ? 0 : 1;
} finally {
  await hub.close();
}
process.exit();
