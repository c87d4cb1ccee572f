import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeServerCommand } from '@plugboard/testing';
import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { ended, ownerKey, start, temporaryDirectory, until } from './cli-process.js';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

it('a hub that is told to stop finishes what is under way, takes nothing new, and leaves nothing behind', async () => {
  const home = await temporaryDirectory();
  const hub = start(['serve', '--port', '0'], { home });
  const [url] = await until(hub, /http:\/\/127\.0\.0\.1:\d+/u);
  const key = await ownerKey(home);
  const agent = new Agent({ connections: 8, keepAliveTimeout: 60_000 });
  onTestFinished(() => agent.destroy());
  const post = (path: string, body: object, session?: string) =>
    request(url + path, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify(body),
    });
  const { command, args } = fakeServerCommand({ tools: ['pid', 'sleep'] });
  const config = { mcp_server_type: 'stdio', command, args };
  await (await post('/v1/mcp-servers', { server_name: 'child', config })).body.text();
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const opened = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const session = String(opened.headers['mcp-session-id']);
  await opened.body.text();
  const call = (name: string, given: object) =>
    post(
      '/mcp',
      { jsonrpc: '2.0', id: name, method: 'tools/call', params: { name: `child__${name}`, arguments: given } },
      session,
    );
  const pid = Number(/"text":"(\d+)"/u.exec(await (await call('pid', {})).body.text())?.[1]);
  expect(isAlive(pid)).toBe(true);
  const stream = await request(`${url}/mcp`, {
    dispatcher: agent,
    headers: { accept: 'text/event-stream', 'mcp-session-id': session, authorization: `Bearer ${key}` },
  });
  const underWay = call('sleep', { ms: 2500 });
  // The call is at its server once the hub counts it.
  await expect
    .poll(async () => (await request(`${url}/ready`, { dispatcher: agent })).body.text())
    .toContain('"calls_running":1');

  hub.kill('SIGTERM');
  await stream.body.text();
  const late = await post('/mcp', { jsonrpc: '2.0', id: 9, method: 'tools/list' }).then(
    async (answer) => ({ status: answer.statusCode, text: await answer.body.text() }),
    (thrown: NodeJS.ErrnoException) => ({ status: 0, text: String(thrown.code) }),
  );
  // On a connection that was open it is refused; else nobody listens any more.
  expect(late.status === 503 ? late.text : `closed: ${late.text}`).toMatch(
    /HUB_STOPPING|closed: (?:ECONNREFUSED|UND_ERR_SOCKET|ECONNRESET)/u,
  );
  expect(await (await underWay).body.text()).toContain('awake');
  expect(await ended(hub)).toBe(0);
  await expect.poll(() => isAlive(pid)).toBe(false);
  await expect(readFile(join(home, 'hub.json'))).rejects.toThrow('ENOENT');
});
