import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeHttpServerCommand, fakeServerCommand, rawHttpClient } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { addServer } from '../gateway/rig.js';

let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub();
});
afterAll(() => hub.close());

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const call = async (server: string, tool: string, args: object = {}): Promise<string> => {
  const { json } = await hubCall(hub.url, 'POST', `/servers/${server}/tools/${tool}`, args);
  return (json as { content?: { text: string }[] }).content?.[0]?.text ?? JSON.stringify(json);
};

describe('a program that listens on a port', () => {
  it.each([
    ['finds it in PORT', { portVariable: 'PORT' }, []],
    ['is given it as an argument', {}, ['--port', '{{PORT}}']],
  ] as const)('%s, is used by all clients, started again when it dies, and ended with its server', async (...row) => {
    const [, options, extra] = row;
    const { command, args } = fakeHttpServerCommand({ tools: ['pid', 'echo'], ...options });
    const name = `launched${extra.length}`;
    const config = { mcp_server_type: 'stdio', command, args: [...args, ...extra], listen: {} };
    await addServer(hub, name, config);
    const pid = Number(await call(name, 'pid'));
    expect(isAlive(pid)).toBe(true);
    const client = rawHttpClient(`${hub.url}/servers/${name}/mcp`);
    await client.initialize();
    const answer = await client.request('tools/call', { name: 'pid', arguments: {} });
    expect(answer.response?.result).toMatchObject({ content: [{ text: String(pid) }] });
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect.poll(() => call(name, 'echo', { text: 'again' }), { timeout: 20_000 }).toBe('again');
    const next = Number(await call(name, 'pid'));
    expect(next).not.toBe(pid);
    const { json } = await hubCall(hub.url, 'GET', '/v1/mcp-servers');
    const listed = (json as { id: string; server_name: string }[]).find((each) => each.server_name === name);
    expect(listed).toMatchObject({ mcp_server_type: 'stdio', listen: {} });
    await hubCall(hub.url, 'DELETE', `/v1/mcp-servers/${listed?.id}`);
    await expect.poll(() => isAlive(next), { timeout: 20_000 }).toBe(false);
  });

  it('cannot send the hub elsewhere when it is asked whether it listens', async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void elsewhere.close());
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    const program = `require('node:http').createServer((_, answer) => {
      answer.writeHead(302, { location: 'http://127.0.0.1:${port}/secret' }).end();
    }).listen(process.env.PORT, '127.0.0.1')`;
    const config = { mcp_server_type: 'stdio', command: process.execPath, args: ['-e', program], listen: {} };
    await addServer(hub, 'redirecting', config);
    const state = async () => {
      const { json } = await hubCall(hub.url, 'GET', '/v1/mcp-servers');
      return (json as { server_name: string; status: unknown }[]).find((each) => each.server_name === 'redirecting');
    };
    await expect.poll(state).toMatchObject({ status: { state: 'failing', error: { code: 'UPSTREAM_WRONG_URL' } } });
    expect(asked).toEqual([]);
  });

  it('has no secret in its log, however the program writes it', async () => {
    const tell =
      "for (const form of ['utf8', 'base64', 'hex']) console.error(Buffer.from(process.env.KEY).toString(form)); process.exit(3)";
    const config = { mcp_server_type: 'stdio', command: process.execPath, args: ['-e', tell], listen: {} };
    const env = { KEY: 'a-key-nobody-may-see' };
    const body = { server_name: 'spelling', config: { ...config, env, restart: 'never' } };
    const { id } = (await hubCall(hub.url, 'POST', '/v1/mcp-servers', body)).json as { readonly id: string };
    const seen = JSON.stringify([
      (await hubCall(hub.url, 'GET', `/v1/mcp-servers/${id}`)).json,
      (await hubCall(hub.url, 'GET', `/v1/mcp-servers/${id}/logs`)).json,
    ]);
    expect(seen).toContain('[redacted]');
    for (const form of ['utf8', 'base64', 'hex'] as const) {
      expect(seen).not.toContain(Buffer.from(env.KEY).toString(form));
    }
  });

  it('has no value of a variable in its log, wherever that stands', async () => {
    const tell = "console.error('begun with ' + process.argv[1]); process.exit(3)";
    const args = ['-e', tell, '--', 'token={{ TOKEN }}'];
    const config = { mcp_server_type: 'stdio', command: process.execPath, args, listen: {}, restart: 'never' };
    const body = { server_name: 'telling', config: { ...config, variables: { TOKEN: 'a-token-nobody-may-see' } } };
    const registered = (await hubCall(hub.url, 'POST', '/v1/mcp-servers', body)).json as { readonly id: string };
    const { json } = await hubCall(hub.url, 'GET', `/v1/mcp-servers/${registered.id}/logs`);
    expect(JSON.stringify(json)).toContain('begun with token=');
    expect(JSON.stringify(json)).not.toContain('a-token-nobody-may-see');
  });

  it('that does not start says why', async () => {
    const { command, args } = fakeHttpServerCommand({ exitAtStart: 3, stderr: 'no licence\n' });
    await addServer(hub, 'broken', { mcp_server_type: 'stdio', command, args, listen: {}, restart: 'never' });
    const { json } = await hubCall(hub.url, 'GET', '/ready');
    expect(JSON.stringify((json as { servers: Record<string, unknown> }).servers['broken'])).toContain('no licence');
  });
});

describe('limits and restarts of a program', () => {
  it('are kept, and a program that takes too much is ended', async () => {
    const { command, args } = fakeServerCommand({ tools: ['echo'] });
    // Its tools must be known before it is ended, however slow the machine is.
    const directory = await mkdtemp(join(tmpdir(), 'plugboard-greedy-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const mayGrow = join(directory, 'may-grow');
    const greedy = `
      const kept = [];
      const { existsSync } = require('node:fs');
      const grow = () => existsSync(${JSON.stringify(mayGrow)}) && kept.push(Buffer.alloc(32 * 1024 * 1024, 1));
      setInterval(grow, 50);
      import(process.argv[1]);
    `;
    await addServer(hub, 'greedy', {
      mcp_server_type: 'stdio',
      command,
      args: ['-e', greedy, ...args],
      limits: { memory_mb: 200 },
      restart: 'never',
    });
    await writeFile(mayGrow, '');
    // Every caller is told, also long after its end.
    const told = (): Promise<string> => call('greedy', 'echo', { text: 'still there' });
    await expect.poll(told, { timeout: 40_000, interval: 200 }).toContain('"code":"PROCESS_MEMORY_LIMIT"');
  });

  it('can be changed, and cleared', async () => {
    const { command, args } = fakeServerCommand({ tools: ['echo'] });
    await addServer(hub, 'kept', { mcp_server_type: 'stdio', command, args, limits: { memory_mb: 500 } });
    const { json } = await hubCall(hub.url, 'GET', '/v1/mcp-servers');
    const id = (json as { id: string; server_name: string }[]).find((each) => each.server_name === 'kept')?.id;
    const set = (config: object) =>
      hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${id}`, { config: { mcp_server_type: 'stdio', ...config } });
    expect((await set({ restart: 'always' })).json).toMatchObject({ limits: { memory_mb: 500 }, restart: 'always' });
    expect((await set({ limits: null })).json).toMatchObject({ limits: null, restart: 'always' });
    expect((await set({ limits: { memory_mb: 1 } })).status).toBe(422);
  });
});
