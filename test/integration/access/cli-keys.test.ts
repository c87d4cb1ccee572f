import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ServerView, ToolView } from '@plugboard/contract';
import { fakeServer, fakeServerCommand } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { composeHub } from '../../../packages/plugboard/src/compose/compose-hub.js';
import { openHub } from '../../../packages/plugboard/src/hub-api/connect/open-hub.js';
import { runCli, type CliPorts } from '../../../packages/plugboard/src/cli/run-cli.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { hubCall, hubCallWith } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const ports: CliPorts = {
  openHub: (process, url, settings) =>
    openHub({ process, url, settings, compose: (resolved) => composeHub(resolved, quiet) }),
};

const openRig = async () => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const server = fakeServer({ tools: ['echo', 'sleep'], prompts: ['greet'], resources: ['note'] } as object);
  onTestFinished(() => server.close());
  const { url } = await server.listenHttp();
  const config = { mcp_server_type: 'streamable_http', server_url: url };
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'tools', config });
  return { hub, server: json as ServerView };
};

/** A command as somebody with this key types it. */
const cli = async (hub: RealHub, key: string, ...argv: readonly string[]) => {
  const env = { PLUGBOARD_HUB_URL: hub.url, PLUGBOARD_API_KEY: key };
  const fake = fakeProcess(argv, { env });
  const code = await runCli(fake, ports);
  return { code, ...fake.written };
};

const withoutKey = async (hub: RealHub): Promise<number> =>
  (await hubCallWith(hub.url, undefined)('POST', '/servers/tools/tools/echo', { text: 'x' })).status;

describe('the first key', () => {
  it('says that it closes the hub, and there is a way back', async () => {
    const { hub } = await openRig();
    expect(await withoutKey(hub)).toBe(200);
    const open = await cli(hub, hub.key, 'export', '--for-client', 'cursor');
    expect(JSON.parse(open.stdout)).toEqual({ mcpServers: { plugboard: { url: `${hub.url}/mcp` } } });

    const first = await cli(hub, hub.key, 'key', 'create', 'laptop', '--role', 'admin');
    expect(first.stderr).toContain('from now on the hub rejects MCP clients and scripts without a key');
    expect(first.stderr).toContain('key purge');
    expect(await withoutKey(hub)).toBe(401);
    const second = await cli(hub, hub.key, 'key', 'create', 'other', '--role', 'admin');
    expect(second.stderr).not.toContain('first key');

    const closed = await cli(hub, hub.key, 'export', '--for-client', 'cursor');
    expect(JSON.parse(closed.stdout)).toMatchObject({
      mcpServers: { plugboard: { headers: { Authorization: 'Bearer ${env:PLUGBOARD_API_KEY}' } } },
    });
    const code = await cli(hub, hub.key, 'export', '--for-client', 'vscode');
    expect(JSON.parse(code.stdout)).toMatchObject({
      inputs: [{ id: 'plugboard-key', password: true }],
      servers: { plugboard: { headers: { Authorization: 'Bearer ${input:plugboard-key}' } } },
    });
    const desktop = await cli(hub, hub.key, 'export', '--for-client', 'claude-desktop');
    expect(desktop.stdout).toContain('Authorization:${PLUGBOARD_API_KEY}');

    const { json } = await hubCall(hub.url, 'GET', '/v1/keys');
    for (const { id } of json as { id: string }[]) await cli(hub, hub.key, 'key', 'revoke', id);
    expect(await withoutKey(hub)).toBe(401);
    const purged = await cli(hub, hub.key, 'key', 'purge');
    expect(purged.stdout).toContain('Deleted 2 keys');
    expect(await withoutKey(hub)).toBe(200);
  });

  it('is told to whoever makes it over HTTP', async () => {
    const { hub } = await openRig();
    const { json } = await hubCall(hub.url, 'POST', '/v1/keys', { name: 'a', role: 'admin' });
    expect(json).toMatchObject({ notice: expect.stringContaining('plugboard key purge') as string });
    expect((await hubCall(hub.url, 'POST', '/v1/keys', { name: 'b', role: 'admin' })).json).not.toHaveProperty(
      'notice',
    );
  });
});

describe('the key of an agent', () => {
  it('opens the tools that it may use in the CLI, and nothing else', async () => {
    const { hub, server } = await openRig();
    const { command, args } = fakeServerCommand({ tools: ['echo'] });
    await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
      server_name: 'hidden',
      config: { mcp_server_type: 'stdio', command, args },
    });
    const agent = (await hubCall(hub.url, 'POST', '/v1/agents', { name: 'bot', server_ids: [server.id] })).json as {
      id: string;
    };
    const made = await hubCall(hub.url, 'POST', '/v1/keys', { name: 'bot', role: 'agent', agent_id: agent.id });
    const { key } = made.json as { key: string };
    expect(await cli(hub, key, 'call', 'tools', 'echo', '--arg', 'text=hello')).toMatchObject({
      code: 0,
      stdout: 'hello\n',
    });
    const listed = await cli(hub, key, 'tools');
    expect(listed.stdout).toContain('echo');
    expect(listed.stdout).not.toContain('hidden');
    expect((await cli(hub, key, 'tools', 'tools', 'echo')).stdout).toContain('plugboard call tools echo');
    expect((await cli(hub, key, 'read', 'tools')).code).toBe(0);
    expect((await cli(hub, key, 'prompt', 'tools')).code).toBe(0);
    const refused = await cli(hub, key, 'call', 'hidden', 'echo');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('There is no server called "hidden"')]);
    expect((await cli(hub, key, 'list')).code).toBe(5);
  });

  it('is not needed to call for the agent: its variables are used', async () => {
    const hub = await startRealHub({ settings: { environment: { PATH: process.env['PATH'] ?? '' } } });
    onTestFinished(() => hub.close());
    const { command, args } = fakeServerCommand({ tools: ['env'] } as object);
    const config = { mcp_server_type: 'stdio', command, args, env: { WHO: '{{ WHO }}' } };
    const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'templated', config });
    const { id } = json as ServerView;
    await hubCall(hub.url, 'POST', '/v1/agents', { name: 'bot', server_ids: [id], variables: { WHO: 'the bot' } });
    await cli(hub, hub.key, 'sync', 'templated', '--agent', 'bot');
    const tools = (await hubCall(hub.url, 'GET', `/v1/mcp-servers/${id}/tools`)).json as ToolView[];
    expect(tools.length).toBeGreaterThan(0);
    const name = tools[0]?.upstream_name ?? '';
    const alone = await cli(hub, hub.key, 'call', 'templated', name, '--no-validate');
    expect(alone.stderr).toContain('WHO');
    const asBot = await cli(hub, hub.key, 'call', 'templated', name, '--agent', 'bot', '--no-validate');
    expect(asBot.stderr).not.toContain('has no value');
  });
});

describe('a slow tool', () => {
  it('is said to be slow, and not that the hub is gone', async () => {
    const { hub } = await openRig();
    const { code, stderr } = await cli(
      hub,
      hub.key,
      'call',
      'tools',
      'sleep',
      '--arg',
      'ms:=20000',
      '--timeout',
      '0.3',
    );
    expect(code).toBe(4);
    expect(stderr).toContain('The tool sleep of tools did not answer within 0.3 s.');
    expect(stderr).not.toContain('HUB_UNREACHABLE');
  });
});

describe('a toolset', () => {
  const openToolset = async () => {
    const { hub, server } = await openRig();
    const made = await hubCall(hub.url, 'POST', '/v1/toolsets', {
      name: 'reading',
      entries: [{ server_id: server.id, upstream_name: 'echo', name: 'say', preset_arguments: { text: 'preset' } }],
    });
    expect(made.status).toBeLessThan(300);
    return hub;
  };

  it('is listed and called over REST and from the CLI, as it offers its tools', async () => {
    const hub = await openToolset();
    const listed = await hubCall(hub.url, 'GET', '/toolsets/reading/tools');
    expect(listed.json).toMatchObject([{ name: 'say' }]);
    const called = await hubCall(hub.url, 'POST', '/toolsets/reading/tools/say', {});
    expect(called.json).toMatchObject({ content: [{ text: 'preset' }] });
    expect((await hubCall(hub.url, 'POST', '/toolsets/nothing/tools/say', {})).status).toBe(404);
    expect((await cli(hub, hub.key, 'tools', '--toolset', 'reading')).stdout).toContain('say');
    expect((await cli(hub, hub.key, 'tools', '--toolset', 'reading', 'say')).stdout).toContain(
      'plugboard call say --toolset reading',
    );
    expect(await cli(hub, hub.key, 'call', '--toolset', 'reading', 'say')).toMatchObject({
      code: 0,
      stdout: 'preset\n',
    });
  });

  it('is served over two pipes', async () => {
    const hub = await openToolset();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const stop = new AbortController();
    const serving = hub.serveStdio({ input, output }, stop.signal, { toolset: 'reading' });
    const ask = (id: number, method: string, params: object) =>
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const lines: string[] = [];
    output.on('data', (chunk: Buffer) => lines.push(String(chunk)));
    ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
    await expect.poll(() => lines.join('')).toContain('"id":1');
    ask(2, 'tools/list', {});
    await expect.poll(() => lines.join('')).toContain('"name":"say"');
    input.end();
    await serving;
  });

  it('is used by official clients as before', async () => {
    const hub = await openToolset();
    const client = new Client({ name: 'c', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/toolsets/reading/mcp`)));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['say']);
  });
});
