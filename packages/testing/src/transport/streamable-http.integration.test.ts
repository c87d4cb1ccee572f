import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeServer, type FakeServer } from '../server/fake-server.js';
import type { FakeServerOptions } from '../definition/server-options.js';
import { rawHttpClient, type RawHttpClient } from '../raw/raw-http-client.js';

let server: FakeServer;
let client: RawHttpClient;

const open = async (options: FakeServerOptions = {}, headers: Record<string, string> = {}): Promise<void> => {
  server = fakeServer(options);
  const { url } = await server.listenHttp();
  client = rawHttpClient(url, { era: options.eras === 'modern' ? 'modern' : 'legacy', headers });
};

beforeEach(() => {
  server = fakeServer();
});

afterEach(async () => {
  await server.close();
  assert.equal(server.counters.openConnections, 0);
  assert.equal(server.counters.openStreams, 0);
});

describe('legacy Streamable HTTP', () => {
  test('agrees on the revision that was asked for, or offers its newest', async () => {
    await open();
    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      expect((await client.initialize(revision)).response?.result?.['protocolVersion']).toBe(revision);
    }
    expect((await client.initialize('1.0')).response?.result?.['protocolVersion']).toBe('2025-11-25');
  });

  test('gives each initialize a session of its own, with one log line per message', async () => {
    await open();
    await client.initialize();
    const first = client.sessionId;
    await client.initialize();
    expect(client.sessionId).not.toBe(first);
    expect(server.sessionIds).toHaveLength(2);
    expect(server.log.methods()).toEqual([
      'initialize',
      'notifications/initialized',
      'initialize',
      'notifications/initialized',
    ]);
    expect(server.counters.initialize).toBe(2);
    expect(server.log.of('notifications/initialized')[1]?.sessionId).toBe(client.sessionId);
  });

  test('refuses a missing session with 400 and a dead one with 404', async () => {
    await open();
    expect((await client.request('tools/list')).status).toBe(400);
    await client.initialize();
    expect((await client.request('tools/list')).status).toBe(200);
    expect((await client.fetch('DELETE')).status).toBe(200);
    expect((await client.request('tools/list')).status).toBe(404);
    expect((await client.fetch('DELETE')).status).toBe(404);
    await client.initialize();
    server.dropSessions();
    expect((await client.request('tools/list')).status).toBe(404);
  });

  test('without sessions serves each POST on its own', async () => {
    await open({ stateless: true });
    const { headers } = await client.initialize();
    expect(headers.has('mcp-session-id')).toBe(false);
    expect((await client.request('tools/list')).response?.result?.['tools']).toHaveLength(2);
    expect((await client.fetch('GET')).status).toBe(405);
  });

  test('refuses an unknown revision in the header, foreign hosts, wrong paths and missing credentials', async () => {
    await open({ requireHeaders: { authorization: 'Bearer good' } }, { authorization: 'Bearer good' });
    await client.initialize();
    const refused = await client.request('tools/list', {}, { headers: { 'mcp-protocol-version': '1999-01-01' } });
    expect(refused.status).toBe(400);
    expect((await client.request('ping', {}, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await client.request('ping', {}, { headers: { authorization: 'Bearer bad' } })).status).toBe(401);
    expect((await rawHttpClient(`${client.url}/other`).request('ping')).status).toBe(404);
  });

  test('refuses what is not a message', async () => {
    await open();
    expect((await client.post('{"jsonrpc"')).response?.error?.code).toBe(-32700);
    expect((await client.post({ jsonrpc: '1.0', id: 1, method: 'ping' })).response?.error?.code).toBe(-32600);
    expect((await client.post([])).status).toBe(400);
    await client.initialize();
    expect((await client.request('no/such')).response?.error?.code).toBe(-32601);
    expect((await client.request('tools/list', { cursor: 'rubbish' })).response?.error?.code).toBe(-32602);
  });

  test('answers a batch as the revision that knows batches', async () => {
    await open();
    await client.initialize('2025-03-26');
    const batch = [
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      { jsonrpc: '2.0', id: 'b', method: 'tools/list' },
    ];
    const answer = await client.post(batch);
    expect(JSON.parse(answer.text)).toMatchObject([{ id: 'a' }, { id: 'b' }]);
    await client.initialize('2025-11-25');
    expect((await client.post(batch)).status).toBe(400);
  });

  test('can do without GET and DELETE', async () => {
    await open({ getStream: false, deleteSession: false });
    await client.initialize();
    expect((await client.fetch('GET')).status).toBe(405);
    expect((await client.fetch('DELETE')).status).toBe(405);
    expect(server.log.verbs()).toEqual(['GET', 'DELETE']);
  });

  test('replays after the last event that the client saw', async () => {
    await open({ resumable: true, tools: ['progress'] });
    server.script.on('tools/call').first().endStreamAfter(1);
    await client.initialize();
    const broken = await client.request('tools/call', {
      name: 'progress',
      arguments: { steps: 2 },
      _meta: { progressToken: 'p' },
    });
    expect(broken.messages).toHaveLength(1);
    expect(broken.response).toBeUndefined();
    const lastEventId = /id: (\S+_1)$/m.exec(broken.text)?.[1] ?? '';
    const resumed = await client.fetch('GET', { headers: { 'last-event-id': lastEventId } });
    const rest = await resumed.text();
    expect(rest).toContain('"progress":2');
    expect(rest).toContain('2 steps');
    expect(rest).not.toContain('"progress":1');
  });
});

describe('modern Streamable HTTP', () => {
  test('every result has its type, its server and its caching hints', async () => {
    await open({ eras: 'modern', ttlMs: 5000, cacheScope: 'public' });
    const { response } = await client.request('server/discover');
    expect(response?.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      ttlMs: 5000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fake-server' } },
    });
    const called = await client.request('tools/call', { name: 'echo', arguments: { text: 'x' } });
    expect(called.response?.result).toMatchObject({ resultType: 'complete' });
    expect(called.response?.result).not.toHaveProperty('ttlMs');
    expect(called.headers.has('mcp-session-id')).toBe(false);
  });

  const META = {
    version: 'io.modelcontextprotocol/protocolVersion',
    capabilities: 'io.modelcontextprotocol/clientCapabilities',
    level: 'io.modelcontextprotocol/logLevel',
  };

  test.each([
    ['no revision in the envelope', { _meta: { [META.version]: undefined } }, {}, 400, -32602],
    ['no capabilities', { _meta: { [META.capabilities]: undefined } }, {}, 400, -32602],
    ['a bad log level', { _meta: { [META.level]: 'shout' } }, {}, 400, -32602],
    [
      'an unknown revision',
      { _meta: { [META.version]: '1900-01-01' } },
      { 'mcp-protocol-version': '1900-01-01' },
      400,
      -32022,
    ],
    ['a revision header that differs', {}, { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    ['no revision header', {}, { 'mcp-protocol-version': undefined }, 400, -32020],
    ['no Mcp-Method', {}, { 'mcp-method': undefined }, 400, -32020],
    ['another Mcp-Method', {}, { 'mcp-method': 'ping' }, 400, -32020],
  ])('refuses %s', async (_what, params, headers, status, code) => {
    await open({ eras: 'modern' });
    const answer = await client.request('tools/list', params, { headers });
    expect(answer.status).toBe(status);
    expect(answer.response?.error?.code).toBe(code);
  });

  test('compares Mcp-Name and Mcp-Param headers with the body', async () => {
    const inputSchema = {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        nested: { type: 'object', properties: { size: { type: 'integer', 'x-mcp-header': 'Size' } } },
      },
    };
    await open({ eras: 'modern', tools: [{ name: 'é', inputSchema, result: 'ran' }] });
    const name = `=?base64?${Buffer.from('é').toString('base64')}?=`;
    const call = async (args: object, headers: Record<string, string | undefined>): Promise<number | undefined> => {
      const answer = await client.request('tools/call', { name: 'é', arguments: args }, { headers });
      return answer.response?.error?.code;
    };
    expect(await call({}, { 'mcp-name': name })).toBeUndefined();
    expect(await call({}, { 'mcp-name': 'e' })).toBe(-32020);
    expect(await call({}, { 'mcp-name': undefined })).toBe(-32020);
    expect(await call({ region: 'eu' }, { 'mcp-name': name, 'mcp-param-region': 'eu' })).toBeUndefined();
    expect(await call({ region: 'eu' }, { 'mcp-name': name })).toBe(-32020);
    expect(await call({}, { 'mcp-name': name, 'mcp-param-region': 'eu' })).toBe(-32020);
    expect(await call({ nested: { size: 42 } }, { 'mcp-name': name, 'mcp-param-size': '42.0' })).toBeUndefined();
    expect(server.counters.executed()).toBe(3);
  });

  test('has neither GET nor DELETE nor unknown methods nor initialize', async () => {
    await open({ eras: 'modern' });
    expect((await client.fetch('GET')).status).toBe(405);
    expect((await client.fetch('DELETE')).status).toBe(405);
    expect((await client.post({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(400);
    expect((await client.notify('notifications/anything')).status).toBe(202);
    const unknown = await client.request('ping');
    expect([unknown.status, unknown.response?.error?.code]).toEqual([404, -32601]);
    const legacy = await rawHttpClient(client.url).request(
      'initialize',
      { protocolVersion: '2025-11-25' },
      { headers: { 'mcp-protocol-version': '2025-11-25' } },
    );
    expect([legacy.status, legacy.response?.error?.code]).toEqual([400, -32022]);
    expect(legacy.response?.error?.data).toMatchObject({ supported: ['2026-07-28'] });
  });

  test('asks only clients that declared they can answer, and finds out a changed requestState', async () => {
    await open({ eras: 'modern', tools: ['elicit'] });
    const refused = await client.request('tools/call', { name: 'elicit', arguments: {} });
    expect([refused.status, refused.response?.error?.code]).toEqual([400, -32021]);
    expect(refused.response?.error?.data).toEqual({ requiredCapabilities: { elicitation: {} } });
    const asking = rawHttpClient(client.url, { era: 'modern', capabilities: { elicitation: {} } });
    const round = await asking.request('tools/call', { name: 'elicit', arguments: {} });
    const result = round.response?.result;
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'question-1': { method: 'elicitation/create' } },
    });
    const inputResponses = { 'question-1': { action: 'accept', content: { name: 'Ada' } } };
    const retry = { name: 'elicit', arguments: {}, inputResponses, requestState: result?.['requestState'] };
    expect((await asking.request('tools/call', retry)).response?.result).toMatchObject({ resultType: 'complete' });
    const changed = await asking.request('tools/call', {
      ...retry,
      requestState: `x${String(result?.['requestState'])}`,
    });
    expect(changed.response?.error?.code).toBe(-32602);
  });

  test('logs only for a request that asked for logs', async () => {
    await open({ eras: 'modern', tools: ['log'] });
    const call = { name: 'log', arguments: { level: 'error' } };
    expect((await client.request('tools/call', call)).messages).toEqual([]);
    const asked = await client.request('tools/call', { ...call, _meta: { [META.level]: 'warning' } });
    expect(asked.messages).toMatchObject([{ method: 'notifications/message' }]);
  });

  test('takes a closed stream for a cancellation', async () => {
    await open({ eras: 'modern', tools: ['hang'] });
    const controller = new AbortController();
    const call = client.request('tools/call', { name: 'hang' }, { signal: controller.signal }).catch(() => 'left');
    await server.execution('hang');
    controller.abort();
    expect(await call).toBe('left');
  });
});

describe('both eras on one endpoint', () => {
  test('each request is served by its own era', async () => {
    await open({ eras: 'both' });
    await client.initialize();
    const modern = rawHttpClient(client.url, { era: 'modern' });
    expect((await modern.request('server/discover')).response?.result?.['supportedVersions']).toContain('2025-11-25');
    expect((await client.request('tools/list')).response?.result).not.toHaveProperty('resultType');
    expect((await modern.request('tools/list')).response?.result).toHaveProperty('resultType');
    expect(server.log.entries.map(({ era }) => era)).toEqual(['legacy', 'legacy', 'modern', 'legacy', 'modern']);
  });

  test('a legacy server answers a modern probe with an error that no modern server gives', async () => {
    await open();
    const probe = await rawHttpClient(client.url, { era: 'modern' }).request('server/discover');
    expect(probe.status).toBe(400);
    expect(probe.response?.error?.code).toBe(-32000);
  });
});
