import { McpProtocolError } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { createGateway } from './gateway.js';
import { catalogueOf, sampleServer, sampleTool } from './test-support/catalogue.js';
import { greeting } from './test-support/open-endpoints.js';
import { RecordingClient, type Recorded } from './test-support/recording-client.js';
import { UpstreamPool } from './connection/upstream-pool.js';

const files = sampleServer('files', 1);
const weather = sampleServer('my weather', 2);
const asleep = sampleServer('asleep', 3, { enabled: false });
const broken = sampleTool(files, 'broken', {
  enabled: false,
  grade: { status: 'INVALID', reasons: [{ rule: 'R1', pointer: '', message: 'properties is a list' }] },
});

const setUp = (answer: (asked: Recorded) => unknown = () => ({ content: [] }), store: 'ok' | 'failing' = 'ok') => {
  const client = new RecordingClient(answer);
  const internal: unknown[] = [];
  const gateway = createGateway({
    identity: { name: 'plugboard', version: '1.2.3' },
    catalogue: catalogueOf([
      { server: files, tools: [sampleTool(files, 'read'), broken] },
      { server: weather, tools: [sampleTool(weather, 'read', { title: 'Read', output_schema: { type: 'object' } })] },
      { server: asleep, tools: [sampleTool(asleep, 'nap')] },
    ]),
    upstream: new UpstreamPool({ makeClient: () => client, idleMs: 1000 }),
    ready: async () => ({ status: 'ready', store, servers: {}, services: {} }),
    uptimeMs: () => 5,
    onInternalError: (error) => internal.push(error),
  });
  const ask = async (method: string, path: string, body: unknown = '') => {
    const answerOf = await gateway.answer({
      method,
      segments: path.split('/').filter(Boolean),
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: new AbortController().signal,
    });
    return {
      ...answerOf,
      json: answerOf.body === '' ? undefined : (JSON.parse(answerOf.body) as Record<string, never>),
    };
  };
  const rpc = async (path: string, method: string, params?: object) =>
    (await ask('POST', path, { jsonrpc: '2.0', id: 'x', method, params })).json as Record<string, never>;
  return { gateway, client, ask, rpc, internal };
};

describe('plain REST', () => {
  it('tells that it lives and that it is ready', async () => {
    const { ask } = setUp();
    expect((await ask('GET', '/health')).json).toEqual({ status: 'ok', version: '1.2.3', uptime_ms: 5 });
    expect((await ask('GET', '/ready')).status).toBe(200);
    expect((await ask('HEAD', '/health')).status).toBe(200);
    expect((await setUp(undefined, 'failing').ask('GET', '/ready')).status).toBe(503);
  });

  it('maps servers by name', async () => {
    const { ask } = setUp();
    const servers = (await ask('GET', '/servers')).json ?? {};
    expect(Object.keys(servers)).toEqual(['files', 'my weather', 'asleep']);
    expect(servers['my weather']).toMatchObject({ type: 'stdio', tool_count: 1, mcp_url: '/servers/my%20weather/mcp' });
    expect((await ask('GET', '/servers/files')).json).toMatchObject({ name: 'files', tool_count: 1 });
  });

  it('lists the offered tools of a server under its own names, as a list', async () => {
    const { ask } = setUp();
    const tools = (await ask('GET', '/servers/files/tools')).json as unknown as { name: string }[];
    expect(tools.map((tool) => tool.name)).toEqual(['read']);
  });

  it('calls a tool with the body as its arguments', async () => {
    const { ask, client } = setUp(() => ({ content: [{ type: 'text', text: 'hi' }], vendor: 1 }));
    const answer = await ask('POST', '/servers/files/tools/read', { path: 'a' });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ content: [{ type: 'text', text: 'hi' }], vendor: 1 });
    expect(client.asked).toMatchObject([{ method: 'tools/call', params: { name: 'read', arguments: { path: 'a' } } }]);
    await ask('POST', '/servers/files/tools/read');
    expect(client.asked[1]).toMatchObject({ method: 'tools/call', params: { name: 'read', arguments: {} } });
  });

  it.each([
    ['GET', '/servers/nobody/tools', '', 404, 'SERVER_NOT_FOUND'],
    ['GET', '/servers/asleep/tools', '', 403, 'PERMISSION_DENIED'],
    ['POST', '/servers/files/tools/none', '{}', 404, 'TOOL_NOT_FOUND'],
    ['POST', '/servers/files/tools/broken', '{}', 403, 'PERMISSION_DENIED'],
    ['POST', '/servers/files/tools/read', '[1]', 400, 'INVALID_ARGUMENT'],
    ['POST', '/servers/files/tools/read', '{', 400, 'INVALID_JSON'],
    ['DELETE', '/servers/files/tools', '', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/servers/files/mcp', '', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/servers/files/nothing', '', 404, 'NOT_FOUND'],
    ['GET', '/servers/files/tools/a/b', '', 404, 'NOT_FOUND'],
    ['GET', '/health/deep', '', 404, 'NOT_FOUND'],
  ])('%s %s %s is %i %s with a hint', async (method, path, body, status, code) => {
    const answer = await setUp().ask(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ error: { code, message: expect.any(String), hint: expect.any(String) } });
  });

  it('says when to come back', async () => {
    const { ask } = setUp(() => {
      throw new PlugboardError('CIRCUIT_OPEN', 'Resting.', { retryAfterMs: 1500 });
    });
    const answer = await ask('POST', '/servers/files/tools/read', {});
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('2');
  });

  it('reports what it did not expect, and tells the caller nothing of it', async () => {
    const { ask, internal } = setUp(() => {
      throw new TypeError('secret path /home/me');
    });
    const answer = await ask('POST', '/servers/files/tools/read', {});
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain('secret');
    expect(internal).toHaveLength(1);
  });
});

describe('MCP without sessions', () => {
  it.each([
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2024-11-05'],
    ['1.0', '2025-11-25'],
  ])('answers initialize with protocolVersion %s by %s', async (wanted, given) => {
    const { rpc } = setUp();
    expect(await rpc('/mcp', 'initialize', greeting(wanted))).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: {
        protocolVersion: given,
        capabilities: { tools: { listChanged: true }, resources: { listChanged: true, subscribe: true }, logging: {} },
        instructions: expect.stringContaining('Be kind.'),
        serverInfo: { name: 'plugboard', version: '1.2.3' },
      },
    });
  });

  it('serves one server under its own names and all under prefixed ones', async () => {
    const { rpc } = setUp();
    expect(await rpc('/servers/my weather/mcp', 'tools/list')).toMatchObject({
      result: { tools: [{ name: 'read', title: 'Read', outputSchema: { type: 'object' } }] },
    });
    expect(await rpc('/mcp', 'tools/list')).toMatchObject({
      result: { tools: [{ name: 'files__read' }, { name: 'my weather__read' }] },
    });
  });

  it('calls by either name and passes on what it does not know', async () => {
    const { rpc, client } = setUp(() => ({ content: [], isError: true, _meta: { x: 1 } }));
    const call = { name: 'files__read', arguments: { a: 1 } };
    expect(await rpc('/mcp', 'tools/call', call)).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: { content: [], isError: true, _meta: { x: 1 } },
    });
    await rpc('/servers/files/mcp', 'tools/call', { name: 'read' });
    expect(client.asked.map((asked) => asked.params)).toEqual([
      { name: 'read', arguments: { a: 1 } },
      { name: 'read' },
    ]);
  });

  it('forwards resources, prompts and completion of one server', async () => {
    const { rpc, client } = setUp(() => ({ resources: [] }));
    expect(await rpc('/servers/files/mcp', 'resources/list', { cursor: 'c' })).toMatchObject({
      result: { resources: [] },
    });
    expect(client.asked).toMatchObject([{ method: 'resources/list', params: { cursor: 'c' } }]);
    expect(await rpc('/servers/files/mcp', 'initialize', greeting('2025-11-25'))).toMatchObject({
      result: {
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
        serverInfo: { name: 'recorded' },
        instructions: 'Be kind.',
      },
    });
  });

  it.each([
    ['an unknown tool', 'tools/call', { name: 'none' }, -32602],
    ['a withheld tool', 'tools/call', { name: 'files__broken' }, -32005],
    ['a tool of a server that is switched off', 'tools/call', { name: 'asleep__nap' }, -32005],
    ['no tool name', 'tools/call', {}, -32602],
    ['arguments that are a list', 'tools/call', { name: 'files__read', arguments: [] }, -32602],
    ['an unknown method', 'vendor/method', {}, -32601],
  ])('answers %s with a JSON-RPC error under HTTP 200', async (_, method, params, code) => {
    const answer = await setUp().ask('POST', '/mcp', { jsonrpc: '2.0', id: 7, method, params });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ id: 7, error: { code, message: expect.any(String) } });
  });

  it('passes on the error that a server answered as it came', async () => {
    const rpcError = { code: -32042, message: 'Open this page first', data: { url: 'https://example.com' } };
    const { rpc } = setUp(() => {
      throw new McpProtocolError('UPSTREAM_PROTOCOL', 'The server answered with an error.', { rpc: rpcError });
    });
    expect(await rpc('/mcp', 'tools/call', { name: 'files__read' })).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: rpcError,
    });
  });

  it('takes notifications and responses in silence', async () => {
    const { ask } = setUp();
    const notification = await ask('POST', '/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([notification.status, notification.body]).toEqual([202, '']);
    expect((await ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, result: {} })).status).toBe(202);
  });

  it.each([
    ['{', -32700],
    ['', -32700],
    ['[]', -32600],
    ['7', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":7}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600],
  ])('answers %s with HTTP 400 and %i', async (body, code) => {
    const answer = await setUp().ask('POST', '/mcp', body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { code } });
  });

  it('reports what it did not expect inside a request', async () => {
    const { rpc, internal } = setUp(() => {
      throw new TypeError('secret');
    });
    expect(JSON.stringify(await rpc('/mcp', 'tools/call', { name: 'files__read' }))).not.toContain('secret');
    expect(internal).toHaveLength(1);
  });
});
