// Which source files does one call of a tool on a stdio server run through? Precise coverage of V8 during one call, after
// warm-up, in a hub whose modules are not bundled. Run `npx tsc -b` first.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { console as inspectorConsole } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const dist = new URL('../packages/plugboard/dist/', import.meta.url);
const home = await mkdtemp(join(tmpdir(), 'plugboard-call-files-'));
const program = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const result = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'echo' }] },
  }[method];
  const answer = result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
}`;
await writeFile(join(home, 'echo.mjs'), program);
const entry = { command: process.execPath, args: [join(home, 'echo.mjs')] };
await writeFile(join(home, 'plugboard.json'), JSON.stringify({ logLevel: 'silent', mcpServers: { echo: entry } }));

process.argv = [process.execPath, 'plugboard', 'serve', '--port', '0', '--home', home];
const { nodeProcess } = await import(new URL('process/node-process.js', dist));
const { runCli } = await import(new URL('cli/run-cli.js', dist));
const served = runCli(nodeProcess(), { openHub: () => Promise.reject(new Error('not used')) });

const hubFile = async () => {
  for (;;) {
    const text = await readFile(join(home, 'hub.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text);
    await sleep(50);
  }
};
const { url } = await hubFile();
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = async (body) => {
  const response = await fetch(`${url}/servers/echo/mcp`, { method: 'POST', headers, body: JSON.stringify(body) });
  const id = response.headers.get('mcp-session-id');
  if (id !== null) headers['mcp-session-id'] = id;
  return response.text();
};
const clientInfo = { name: 'files', version: '1' };
const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: greeting });
headers['mcp-protocol-version'] = '2025-11-25';
await post({ jsonrpc: '2.0', method: 'notifications/initialized' });

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');

// The stack at the moment when the call is written to the pipe of the program, across everything asynchronous.
await inspector.post('Runtime.enable');
await inspector.post('Debugger.enable');
await inspector.post('Debugger.setAsyncCallStackDepth', { maxDepth: 200 });
let written;
inspector.on('Runtime.consoleAPICalled', ({ params }) => {
  written = params.stackTrace;
});
Socket.prototype.write = new Proxy(Object.getOwnPropertyDescriptor(Duplex.prototype, 'write')?.value, {
  apply: (write, socket, args) => {
    if (String(args[0]).includes('"tools/call"')) inspectorConsole.debug('written');
    return Reflect.apply(write, socket, args);
  },
});
const nameOf = (from) => from.split('/packages/')[1].replace('/dist/', '/').replace(/\.js$/u, '');
const stackFiles = async () => {
  const files = new Set();
  for (let part = written; part !== undefined;) {
    for (const frame of part.callFrames) if (frame.url.includes('/packages/')) files.add(nameOf(frame.url));
    part =
      part.parent ??
      (part.parentId && (await inspector.post('Debugger.getStackTrace', { stackTraceId: part.parentId })).stackTrace);
  }
  return [...files];
};

const filesOf = async (call) => {
  for (let id = 1; id <= 50; id += 1) await call(id);
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await inspector.post('Profiler.takePreciseCoverage');
  const text = await call(51);
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  await inspector.post('Profiler.stopPreciseCoverage');
  if (!text.includes('"echo"')) throw new Error(text);
  const onStack = await stackFiles();
  const run = result
    .filter(
      ({ url: from, functions }) => from.includes('/packages/') && functions.some(({ ranges }) => ranges[0].count > 0),
    )
    .map((script) => nameOf(script.url));
  return { onStack, run };
};

const call = (id, more = {}) =>
  post({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: {} }, ...more });
const paths = {
  'fast path': await filesOf((id) => call(id)),
  // A member that the plain form of a call does not have.
  'full path': await filesOf((id) => call(id, { extra: true })),
};
for (const [name, { onStack, run }] of Object.entries(paths)) {
  console.log(`${name}: ${onStack.length} files on the stack of the call, ${run.length} files run anything during it`);
  for (const file of onStack.toReversed()) console.log(`  ${file}`);
}
process.kill(process.pid, 'SIGTERM');
await served;
await rm(home, { recursive: true, force: true });
