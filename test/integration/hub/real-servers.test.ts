import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { npmServerProgram, startEverything } from '../../support/npm-server.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

let hub: RealHub;
let directory = '';

beforeAll(async () => {
  hub = await startRealHub();
  directory = await mkdtemp(join(tmpdir(), 'plugboard-files-'));
  await writeFile(join(directory, 'greeting.txt'), 'hello from a file');
});
afterAll(async () => {
  await hub.close();
  await rm(directory, { recursive: true, force: true });
});

const register = async (server_name: string, config: object) =>
  (await hubCall(hub.url, 'POST', '/v1/mcp-servers/', { server_name, config })).json as {
    sync: { status: string; total: number };
  };

const stdio = (program: string, ...args: string[]) => ({
  mcp_server_type: 'stdio',
  command: process.execPath,
  args: [npmServerProgram(program), ...args],
});

const callTool = async (server: string, tool: string, args: object) =>
  (await hubCall(hub.url, 'POST', `/servers/${server}/tools/${tool}`, args)).json;

describe('real servers from npm, over stdio', () => {
  it('everything', async () => {
    expect((await register('everything', stdio('everything', 'stdio'))).sync).toMatchObject({ status: 'ok' });
    expect(await callTool('everything', 'echo', { message: 'hi' })).toMatchObject({
      content: [{ type: 'text', text: 'Echo: hi' }],
    });
  });

  it('filesystem', async () => {
    expect((await register('files', stdio('filesystem', directory))).sync).toMatchObject({ status: 'ok' });
    expect(await callTool('files', 'read_text_file', { path: join(directory, 'greeting.txt') })).toMatchObject({
      content: [{ type: 'text', text: 'hello from a file' }],
    });
  });

  it('memory', async () => {
    const config = { ...stdio('memory'), env: { MEMORY_FILE_PATH: join(directory, 'memory.json') } };
    expect((await register('memory', config)).sync).toMatchObject({ status: 'ok' });
    const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };
    await callTool('memory', 'create_entities', { entities: [entity] });
    expect(JSON.stringify(await callTool('memory', 'read_graph', {}))).toContain('writes programs');
  });

  it('sequential thinking', async () => {
    expect((await register('thinking', stdio('sequential-thinking'))).sync).toMatchObject({ status: 'ok', total: 1 });
    const thought = { thought: 'first', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    expect(JSON.stringify(await callTool('thinking', 'sequentialthinking', thought))).toContain('thoughtNumber');
  });
});

describe('server-everything over HTTP', () => {
  it('answers over Streamable HTTP', async () => {
    const server = await startEverything('streamableHttp');
    try {
      const config = { mcp_server_type: 'streamable_http', server_url: `${server.origin}/mcp` };
      expect((await register('http', config)).sync).toMatchObject({ status: 'ok' });
      expect(await callTool('http', 'echo', { message: 'hi' })).toMatchObject({ content: [{ text: 'Echo: hi' }] });
    } finally {
      await server.close();
    }
  });

  it('answers over HTTP+SSE', async () => {
    const server = await startEverything('sse');
    try {
      const config = { mcp_server_type: 'sse', server_url: `${server.origin}/sse` };
      expect((await register('sse', config)).sync).toMatchObject({ status: 'ok' });
      expect(await callTool('sse', 'echo', { message: 'hi' })).toMatchObject({ content: [{ text: 'Echo: hi' }] });
    } finally {
      await server.close();
    }
  });
});

describe('all of them as one endpoint', () => {
  it('lists prefixed names to the official client and calls by them', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`)));
    try {
      const names = (await client.listTools()).tools.map((tool) => tool.name);
      expect(names).toContain('everything__echo');
      expect(names).toContain('files__read_text_file');
      expect(await client.callTool({ name: 'everything__get-sum', arguments: { a: 2, b: 3 } })).toMatchObject({
        content: [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }],
      });
    } finally {
      await client.close();
    }
  });

  it('serves resources and prompts of one server, and answers bad calls under HTTP 200', async () => {
    const rpc = async (method: string, params: object) =>
      hubCall(hub.url, 'POST', '/servers/everything/mcp', { jsonrpc: '2.0', id: 'a', method, params });
    expect(await rpc('prompts/list', {})).toMatchObject({
      status: 200,
      json: { result: { prompts: expect.any(Array) } },
    });
    expect(await rpc('resources/list', {})).toMatchObject({ json: { result: { resources: expect.any(Array) } } });
    expect(await rpc('tools/call', { name: 'no-such-tool' })).toMatchObject({
      status: 200,
      json: { error: { code: -32602 } },
    });
    const bad = await rpc('tools/call', { name: 'get-sum', arguments: { a: 'x' } });
    expect(bad.status).toBe(200);
    expect(bad.json).toSatisfy(
      (json: { error?: unknown; result?: { isError?: boolean } }) =>
        json.error !== undefined || json.result?.isError === true,
    );
  });
});
