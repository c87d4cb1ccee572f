import { readFile, rm, writeFile } from 'node:fs/promises';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ReadyAnswer, ServerLogEntry, ServerView, SyncReport } from '@plugboard/contract';
import { fakeServerCommand } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

const SECRET = 'a-secret-that-nobody-may-read';
const environment = { PATH: process.env['PATH'] ?? '' };
const { command, args } = fakeServerCommand({ tools: ['pid', 'echo'] });

let directory: string;
let hub: RealHub;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugboard-operate-'));
  hub = await startRealHub({ settings: { environment } });
});
afterAll(async () => {
  await hub.close();
  await rm(directory, { recursive: true, force: true });
});

/** A program that counts its starts in a file and runs this code before it serves, if it gets there. */
const program = (name: string, code: string) => {
  const starts = join(directory, `${name}.starts`);
  const script = `require('node:fs').appendFileSync(${JSON.stringify(starts)}, 'x');\n${code}\nimport(process.argv[1]);`;
  return {
    config: { mcp_server_type: 'stdio', command, args: ['-e', script, ...args] },
    starts: async () => (await readFile(starts, 'utf8')).length,
  };
};

const register = async (name: string, config: object): Promise<ServerView> => {
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: name, config });
  return json as ServerView;
};

const connect = async (name: string): Promise<Client> => {
  const client = new Client({ name: 'somebody', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/servers/${name}/mcp`)));
  return client;
};

const textOf = async (client: Client, tool: string, given: Record<string, unknown> = {}): Promise<string> => {
  const result = await client.callTool({ name: tool, arguments: given });
  return (result.content as { text: string }[])[0]?.text ?? '';
};

const logsOf = async (url: string, id: string): Promise<readonly ServerLogEntry[]> =>
  (await hubCall(url, 'GET', `/v1/mcp-servers/${id}/logs`)).json as ServerLogEntry[];

describe('a program that ends at once', () => {
  it('is started once by its registration, and the error it died of is named', async () => {
    const { config, starts } = program('dead', "require('./no-such-module');");
    const { id, sync } = await register('dead', config);
    expect(sync?.error?.message).toMatch(/exited with code 1: Error: Cannot find module '.\/no-such-module'$/u);
    expect(await starts()).toBe(1);
    const shown = (await hubCall(hub.url, 'GET', `/v1/mcp-servers/${id}`)).json as ServerView;
    expect(shown.program).toMatchObject({ running: 0, starts_last_hour: 1, failures_last_hour: 1 });
    const ready = (await hubCall(hub.url, 'GET', '/ready')).json as ReadyAnswer;
    expect(ready.programs?.['dead']?.last_exit).toMatchObject({
      code: 1,
      signal: null,
      error: "Error: Cannot find module './no-such-module'",
    });
  });

  it('after it read its input gets the older greeting in one more process, and no third', async () => {
    const { config, starts } = program(
      'reader',
      "process.stdin.once('data', () => { console.error('fatal: no'); process.exit(7); });",
    );
    const { sync } = await register('reader', config);
    expect(sync?.error?.message).toContain('exited with code 7: fatal: no');
    expect(await starts()).toBe(2);
  });
});

describe('a server that was repaired', () => {
  it('works at once for an operator, although it is in a crash loop', async () => {
    const flag = join(directory, 'broken');
    const { config } = program(
      'flaky',
      `if (require('node:fs').existsSync(${JSON.stringify(flag)})) throw new Error('the flag is there');`,
    );
    const { id } = await register('flaky', config);
    await writeFile(flag, '');
    await hubCall(hub.url, 'POST', `/v1/mcp-servers/${id}/restart`);
    const call = () => hubCall(hub.url, 'POST', '/servers/flaky/tools/echo', { text: 'hi' });
    await expect
      .poll(async () => JSON.stringify((await call()).json), { timeout: 30_000 })
      .toContain('PROCESS_CRASH_LOOP');
    const failed = (await hubCall(hub.url, 'POST', `/v1/mcp-servers/${id}/sync`)).json as SyncReport;
    expect(failed.error).toMatchObject({
      code: 'PROCESS_EXITED',
      message: expect.stringContaining('the flag is there'),
    });
    await rm(flag);
    const repaired = (await hubCall(hub.url, 'POST', `/v1/mcp-servers/${id}/sync`)).json as SyncReport;
    expect(repaired).toMatchObject({ status: 'ok', total: 2 });
    expect((await call()).status).toBe(200);
  });
});

describe('a client that crashes its own program', () => {
  it('takes the server from nobody else', async () => {
    await register('crashed', program('crashed', '').config);
    const [clumsy, careful] = [await connect('crashed'), await connect('crashed')];
    expect(await textOf(careful, 'echo', { text: 'before' })).toBe('before');
    const crash = async (): Promise<string> => {
      try {
        process.kill(Number(await textOf(clumsy, 'pid')), 'SIGKILL');
        return 'killed';
      } catch (thrown) {
        return String(thrown);
      }
    };
    await expect.poll(crash, { timeout: 40_000, interval: 10 }).toContain('keeps failing');
    expect(await textOf(careful, 'echo', { text: 'after' })).toBe('after');
    expect(await textOf(await connect('crashed'), 'echo', { text: 'new' })).toBe('new');
  });
});

describe('the restart of a server', () => {
  it('ends its programs and starts them again', async () => {
    const { id } = await register('old', program('old', '').config);
    const client = await connect('old');
    const before = await textOf(client, 'pid');
    const { status, json } = await hubCall(hub.url, 'POST', `/v1/mcp-servers/${id}/restart`);
    expect(status).toBe(200);
    expect((json as ServerView).sync).toMatchObject({ status: 'ok', total: 2 });
    expect(() => process.kill(Number(before), 0)).toThrow('ESRCH');
    expect(await textOf(client, 'pid')).not.toBe(before);
  });

  it('of a server that is not there is refused', async () => {
    expect((await hubCall(hub.url, 'POST', '/v1/mcp-servers/nothing/restart')).status).toBe(404);
    expect((await hubCall(hub.url, 'GET', '/v1/mcp-servers/nothing/logs')).status).toBe(404);
  });
});

describe('the log of a server', () => {
  it('has what its program wrote without secrets, and outlives the hub and not the server', async () => {
    const home = await mkdtemp(join(tmpdir(), 'plugboard-logs-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const first = await startRealHub({ settings: { home, environment } });
    const script =
      "console.error('the token is ' + process.env.TOKEN); console.error('    indented'); import(process.argv[1]);";
    const config = { mcp_server_type: 'stdio', command, args: ['-e', script, ...args], env: { TOKEN: SECRET } };
    const { json } = await hubCall(first.url, 'POST', '/v1/mcp-servers', { server_name: 'chatty', config });
    const { id } = json as ServerView;
    const entries = await logsOf(first.url, id);
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['started', 'output', 'connected']));
    expect(entries.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['the token is [redacted]', '    indented']),
    );
    await first.close();

    const second = await startRealHub({ settings: { home, environment } });
    onTestFinished(() => second.close());
    const kept = await logsOf(second.url, id);
    expect(kept).toEqual(entries);
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    // Whoever follows is answered as soon as there is something.
    const next = hubCall(second.url, 'GET', `/v1/mcp-servers/${id}/logs?after=${kept.at(-1)?.id}&wait=30`);
    await hubCall(second.url, 'POST', `/v1/mcp-servers/${id}/restart`);
    expect(((await next).json as readonly unknown[])[0]).toMatchObject({ kind: 'restarted' });
    await hubCall(second.url, 'DELETE', `/v1/mcp-servers/${id}`);
    expect((await hubCall(second.url, 'GET', `/v1/mcp-servers/${id}/logs`)).status).toBe(404);
  });
});
