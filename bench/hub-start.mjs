// How much longer is a hub not ready when twenty servers are registered, some dead, some hanging? Starts alternate
// between an empty home and the full one, so that both meet the same machine.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = Number(process.env.ROUNDS ?? 9);
const CLI = join('packages', 'plugboard', 'dist', 'main.js');

const start = async (home) => {
  const began = performance.now();
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', '--home', home], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, EXTERNAL_MCP_TIMEOUT: '1' },
  });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes('running at')) break;
  }
  const url = /http:\/\/\S+/u.exec(output)[0];
  while (
    !(await fetch(`${url}/ready`).then(
      (answer) => answer.ok,
      () => false,
    ))
  );
  return { url, ms: performance.now() - began, child };
};

const stop = async ({ child }) => {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
};

const fill = async (home, hangingPort) => {
  const hub = await start(home);
  const { key } = JSON.parse(await readFile(join(home, 'hub.json'), 'utf8'));
  const http = (url) => ({ mcp_server_type: 'streamable_http', server_url: url });
  const configs = [
    ...Array.from({ length: 7 }, () => http('http://127.0.0.1:1/mcp')),
    ...Array.from({ length: 7 }, () => http(`http://127.0.0.1:${hangingPort}/mcp`)),
    ...Array.from({ length: 6 }, () => ({
      mcp_server_type: 'stdio',
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
    })),
  ];
  await Promise.all(
    configs.map((config, index) =>
      fetch(`${hub.url}/v1/mcp-servers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ server_name: `server-${index}`, config }),
      }),
    ),
  );
  const known = Object.keys(await (await fetch(`${hub.url}/servers`)).json()).length;
  await stop(hub);
  return known;
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const homes = { empty: await mkdtemp(join(tmpdir(), 'hub-')), full: await mkdtemp(join(tmpdir(), 'hub-')) };
const hanging = createServer(() => {}).listen(0, '127.0.0.1');
await once(hanging, 'listening');
try {
  const known = await fill(homes.full, hanging.address().port);
  const times = { empty: [], full: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ['empty', 'full']) {
      const hub = await start(homes[name]);
      times[name].push(hub.ms);
      await stop(hub);
    }
  }
  const [empty, full] = [median(times.empty), median(times.full)];
  console.log(`ready with no server          ${empty.toFixed(0)} ms (median of ${ROUNDS})`);
  console.log(`ready with ${known} dead or hanging  ${full.toFixed(0)} ms (median of ${ROUNDS})`);
  console.log(`ratio                         ${(full / empty).toFixed(2)}   (budget 1.20)`);
} finally {
  hanging.close();
  await Promise.all(Object.values(homes).map((home) => rm(home, { recursive: true, force: true })));
}
