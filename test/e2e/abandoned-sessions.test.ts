import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeHttpServerCommand, fakeServerCommand } from '@plugboard/testing';
import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { MAIN, ownerKey, temporaryDirectory, until } from './cli-process.js';

const REPORTER = fileURLToPath(new URL('report-heap.mjs', import.meta.url));
const HTTP_SESSIONS = 484;
const STDIO_SESSIONS = 8;
const AT_ONCE = 20;
/** What a second wave may add, for each session: caches and compiled code settle, a session alone takes several times this. */
const LEFT_BYTES = 4096;

const startHub = async (): Promise<{ readonly child: ChildProcess; readonly url: string; readonly key: string }> => {
  const home = await temporaryDirectory();
  await writeFile(
    join(home, 'plugboard.json'),
    JSON.stringify({ patience: { session: 5, connection: 1 }, logLevel: 'error' }),
  );
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', REPORTER, MAIN, 'serve', '--port', '0', '--home', home],
    { cwd: home, stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env: { PATH: process.env['PATH'], HOME: home } },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [url] = await until(child, /http:\/\/127\.0\.0\.1:\d+/u);
  return { child, url, key: await ownerKey(home) };
};

const startUpstream = async (): Promise<string> => {
  const { command, args } = fakeHttpServerCommand({ tools: ['counter'] });
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stderr, 'data')) as [Buffer];
  return /http:\/\/\S+/u.exec(said.toString())?.[0] ?? '';
};

const heapOf = async (hub: ChildProcess): Promise<number> => {
  const answered = once(hub, 'message');
  hub.send('heap');
  return Number((await answered)[0]);
};

const openFiles = async ({ pid }: ChildProcess): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;

it('a thousand sessions that nobody ended leave no process, no descriptor and no memory behind', async () => {
  const hub = await startHub();
  const upstream = await startUpstream();
  const agent = new Agent({ connections: AT_ONCE });
  onTestFinished(() => agent.destroy());
  const post = async (path: string, body: object, session?: string) => {
    const answer = await request(hub.url + path, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${hub.key}`,
        accept: 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify(body),
    });
    return { session: answer.headers['mcp-session-id'], text: await answer.body.text() };
  };
  const metric = async (name: string): Promise<number> => {
    const answer = await request(`${hub.url}/metrics`, { dispatcher: agent });
    return Number(new RegExp(`^${name} (\\d+)`, 'mu').exec(await answer.body.text())?.[1]);
  };
  const { command, args } = fakeServerCommand({ tools: ['counter'] });
  for (const [server_name, config] of Object.entries({
    http: { mcp_server_type: 'streamable_http', server_url: upstream },
    child: { mcp_server_type: 'stdio', command, args },
  })) {
    await post('/v1/mcp-servers', { server_name, config });
  }
  /** A client that comes, uses its own connection to the server, and is never heard of again. */
  const abandon = async (server: string): Promise<void> => {
    const path = `/servers/${server}/mcp`;
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'gone', version: '1' } };
    const { session } = await post(path, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'counter', arguments: {} } };
    expect((await post(path, call, String(session))).text).toContain('content');
  };
  const wave = async (http: number, stdio: number): Promise<void> => {
    const clients = [...Array<string>(http).fill('http'), ...Array<string>(stdio).fill('child')];
    const next = async (): Promise<void> => {
      for (let server = clients.pop(); server !== undefined; server = clients.pop()) await abandon(server);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    for (const name of ['plugboard_sessions', 'plugboard_connections', 'plugboard_children']) {
      await expect.poll(() => metric(name), { timeout: 60_000, interval: 200 }).toBe(0);
    }
  };
  await wave(AT_ONCE, 0);
  const files = await openFiles(hub.child);
  await wave(HTTP_SESSIONS, STDIO_SESSIONS);
  const before = await heapOf(hub.child);
  await wave(HTTP_SESSIONS, STDIO_SESSIONS);
  await expect.poll(() => openFiles(hub.child), { timeout: 60_000 }).toBeLessThanOrEqual(files + 2);
  const added = (await heapOf(hub.child)) - before;
  expect(added).toBeLessThan((HTTP_SESSIONS + STDIO_SESSIONS) * LEFT_BYTES);
});
