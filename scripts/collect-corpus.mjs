/**
 * Collects real tool lists: installs each package of corpus-servers.mjs into a temporary folder, starts it,
 * asks it for its tools over stdio, and stores the answer in packages/schema/corpus as data.
 *
 *   node scripts/collect-corpus.mjs [package…]     without arguments: every package that is not stored yet
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { CORPUS_SERVERS } from './corpus-servers.mjs';

const CORPUS = path.join(import.meta.dirname, '..', 'packages', 'schema', 'corpus');
const INSTALL_MS = 240_000;
const ANSWER_MS = 45_000;
const MAX_PAGES = 50;
const MAX_BYTES = 350_000;

const fileOf = (name) => path.join(CORPUS, `${name.replace(/^@/u, '').replaceAll('/', '__')}.json`);

/** Runs a command to its end, or kills its whole group when the time is over. */
const run = (command, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    let complaint = '';
    child.stderr.on('data', (chunk) => (complaint = (complaint + chunk).slice(-400)));
    const timer = setTimeout(() => killGroup(child), INSTALL_MS);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with ${code}: ${complaint.trim().split('\n').at(0)}`));
    });
  });

const killGroup = (child) => {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // already gone
  }
};

const install = async (folder, name) => {
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', name], { cwd: folder });
  const home = path.join(folder, 'node_modules', name);
  const manifest = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8'));
  return { home, manifest };
};

const entryPoint = ({ home, manifest }, wanted) => {
  const bins = typeof manifest.bin === 'string' ? { [manifest.name]: manifest.bin } : (manifest.bin ?? {});
  const short = manifest.name.split('/').at(-1);
  const chosen = bins[wanted ?? ''] ?? bins[short] ?? Object.values(bins)[0] ?? manifest.main;
  if (chosen === undefined) throw new Error('the package has no executable');
  return path.join(home, chosen);
};

/** A minimal client: newline-delimited JSON-RPC, answers to the server's own requests refused politely. */
const talk = (child) => {
  const waiting = new Map();
  let last = 0;
  const lines = createInterface({ input: child.stdout });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  lines.on('line', (line) => {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return; // servers that print to stdout are common; their noise is not ours to judge here
    }
    if (message.method !== undefined && message.id !== undefined) {
      const result = message.method === 'roots/list' ? { roots: [] } : undefined;
      send(result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: 'not offered' } });
      return;
    }
    const entry = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) entry?.reject(new Error(`${message.error.code}: ${message.error.message}`));
    else entry?.resolve(message.result);
  });
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      send({ id, method, params });
    });
  const fail = (error) => {
    for (const entry of waiting.values()) entry.reject(error);
    waiting.clear();
  };
  return { request, notify: (method) => send({ method }), fail };
};

const listTools = async (peer) => {
  const started = await peer.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: { roots: {} },
    clientInfo: { name: 'plugboard-corpus', version: '1.0.0' },
  });
  peer.notify('notifications/initialized');
  const tools = [];
  let cursor;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await peer.request('tools/list', cursor === undefined ? {} : { cursor });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return { started, tools };
};

const ask = async (command, args, { env, cwd }) => {
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const peer = talk(child);
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint = (complaint + chunk).slice(-2000)));
  child.stdin.on('error', () => {});
  const timer = setTimeout(() => peer.fail(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
  child.on('error', (error) => peer.fail(error));
  child.on('exit', (code) => peer.fail(new Error(`ended with ${code}: ${complaint.trim().slice(-300)}`)));
  try {
    return await listTools(peer);
  } finally {
    clearTimeout(timer);
    killGroup(child);
  }
};

/** One tool per line: small enough to keep, and a change to one tool is a change of one line. */
const write = ({ tools, ...head }) =>
  `${JSON.stringify(head).slice(0, -1)},"tools":[\n${tools.map((tool) => JSON.stringify(tool)).join(',\n')}\n]}`;

const collect = async (server) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plugboard-corpus-'));
  try {
    const installed = await install(folder, server.package);
    const home = path.join(folder, 'home');
    await mkdir(home);
    const args = [entryPoint(installed, server.bin), ...(server.args ?? [])];
    const env = { PATH: process.env.PATH, HOME: home, CI: '1', NO_COLOR: '1', ...server.env };
    const { started, tools } = await ask(process.execPath, args, { env, cwd: home });
    const { name, version } = installed.manifest;
    const entry = {
      package: name,
      version,
      collected: new Date().toISOString().slice(0, 10),
      ...(typeof started.instructions === 'string' ? { instructions: started.instructions } : {}),
      tools: tools.map(({ icons: _icons, ...tool }) => tool),
    };
    // The folder of this run is no property of the server.
    const text = write(entry).replaceAll(home, '/home/user').replaceAll(folder, '/home/user');
    if (tools.length === 0) throw new Error('it offers no tools');
    if (text.length > MAX_BYTES) throw new Error(`its list is too large to keep (${text.length} bytes)`);
    await writeFile(fileOf(server.package), `${text}\n`);
    return tools.length;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const wanted = process.argv.slice(2);
const chosen = CORPUS_SERVERS.filter((server) =>
  wanted.length > 0 ? wanted.includes(server.package) : !existsSync(fileOf(server.package)),
);
await mkdir(CORPUS, { recursive: true });
for (const server of chosen) {
  try {
    console.log(`${server.package}: ${await collect(server)} tools`);
  } catch (error) {
    console.log(`${server.package}: left out (${String(error.message).replaceAll(/\s+/gu, ' ').slice(0, 300)})`);
  }
}
