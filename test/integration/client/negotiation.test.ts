/// <reference lib="esnext.disposable" />
import type { ServerProtocol } from '@plugboard/contract';
import { McpClient } from '@plugboard/client';
import { fakeServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { openRig, textOf } from './rig.js';

const HOUR_MS = 3_600_000;

const remembered = (
  era: ServerProtocol['era'],
  transport: ServerProtocol['transport'],
  hoursAgo = 1,
): ServerProtocol => ({
  era,
  transport,
  revision: era === 'modern' ? '2026-07-28' : '2025-11-25',
  checked_at: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(),
});

describe('versions', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'a server of %s alone is understood',
    async (version) => {
      for (const kind of ['legacy stdio', 'legacy streamable HTTP', 'legacy HTTP+SSE'] as const) {
        await using rig = await openRig(kind, { server: { revisions: [version] } });
        expect(textOf(await rig.client.callTool('echo', { text: 'x' }))).toBe('x');
        expect(rig.client.protocol).toMatchObject({ era: 'legacy', revision: version });
        const header = rig.server.log.of('tools/call')[0]?.headers['mcp-protocol-version'];
        const expected = kind !== 'legacy stdio' && version >= '2025-06-18' ? version : undefined;
        expect(header).toBe(expected);
      }
    },
  );

  test('a server that answers 2024-10-07 is understood', async () => {
    await using rig = await openRig('legacy stdio');
    rig.server.script
      .on('initialize')
      .always()
      .respondResult({ protocolVersion: '2024-10-07', capabilities: {}, serverInfo: { name: 'old', version: '0' } });
    await rig.client.connect();
    expect(rig.client.protocol).toMatchObject({ era: 'legacy', revision: '2024-10-07' });
  });

  test('a version that nobody knows is refused with a clear error', async () => {
    await using rig = await openRig('legacy streamable HTTP');
    rig.server.script.on('initialize').always().respondResult({ protocolVersion: '1999-01-01', capabilities: {} });
    await expect(rig.client.connect()).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL', delivery: 'not-executed' });
  });

  test('a server that refuses our version and names its own gets that one', async () => {
    await using rig = await openRig('legacy streamable HTTP');
    rig.server.script
      .on('initialize')
      .first()
      .respondError(-32602, 'Unsupported protocol version', { supported: ['2025-03-26'], requested: '2025-11-25' });
    await rig.client.connect();
    expect(rig.server.log.of('initialize').map(({ params }) => params['protocolVersion'])).toEqual([
      '2025-11-25',
      '2025-03-26',
    ]);
  });
});

describe('eras', () => {
  test.each(['modern stdio', 'modern streamable HTTP'] as const)(
    'a server of both eras is spoken to in the modern one over %s',
    async (kind) => {
      await using rig = await openRig(kind, { server: { eras: 'both' } });
      await rig.client.callTool('echo', { text: 'x' });
      expect(rig.client.protocol?.era).toBe('modern');
      expect(rig.server.counters.initialize).toBe(0);
    },
  );

  test.each(['legacy stdio', 'legacy streamable HTTP'] as const)(
    'a remembered legacy verdict saves the probe over %s',
    async (kind) => {
      const told: ServerProtocol[] = [];
      await using rig = await openRig(kind, {
        client: {
          remembered: remembered('legacy', kind === 'legacy stdio' ? 'stdio' : 'streamable_http'),
          onProtocol: (protocol) => told.push(protocol),
        },
      });
      await rig.client.callTool('echo', { text: 'x' });
      expect(rig.server.log.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
      expect(told).toHaveLength(1);
      expect(told[0]).toMatchObject({ era: 'legacy', revision: '2025-11-25' });
    },
  );

  test.each(['modern stdio', 'modern streamable HTTP'] as const)(
    'a legacy verdict that is wrong by now is corrected over %s',
    async (kind) => {
      await using rig = await openRig(kind, { client: { remembered: remembered('legacy', 'streamable_http') } });
      await rig.client.callTool('echo', { text: 'x' });
      expect(rig.client.protocol?.era).toBe('modern');
    },
  );

  test('a legacy verdict of yesterday is tested again, and one of today keeps its date', async () => {
    const [old, recent] = [remembered('legacy', 'streamable_http', 25), remembered('legacy', 'streamable_http', 23)];
    await using learned = await openRig('legacy streamable HTTP', {
      server: { eras: 'both' },
      client: { remembered: old },
    });
    await learned.client.connect();
    expect(learned.client.protocol?.era).toBe('modern');
    await using known = await openRig('legacy streamable HTTP', { client: { remembered: recent } });
    await known.client.connect();
    expect(known.client.protocol).toMatchObject({ era: 'legacy', checked_at: recent.checked_at });
  });

  test('the verdict is kept for the life of the client', async () => {
    await using rig = await openRig('legacy streamable HTTP');
    await rig.client.connect();
    await rig.client.dispose();
    await rig.client.connect();
    expect(rig.server.log.count('server/discover')).toBe(1);
    expect(rig.server.counters.initialize).toBe(2);
  });

  test('a server that is replaced by one of the other era is followed', async () => {
    const legacy = fakeServer({ eras: 'legacy', tools: ['echo'] });
    const { url, port } = await legacy.listenHttp();
    await using client = new McpClient({ config: { mcp_server_type: 'streamable_http', server_url: url } });
    await client.callTool('echo', { text: 'x' });
    expect(client.protocol?.era).toBe('legacy');
    await legacy.close();
    await using modern = fakeServer({ eras: 'modern', tools: ['echo'] });
    const listener = await modern.listenHttp({ port });
    expect(textOf(await client.callTool('echo', { text: 'y' }))).toBe('y');
    expect(client.protocol?.era).toBe('modern');
    await listener.close();
    await using again = fakeServer({ eras: 'legacy', tools: ['echo'] });
    await again.listenHttp({ port });
    expect(textOf(await client.callTool('echo', { text: 'z' }))).toBe('z');
    expect(client.protocol?.era).toBe('legacy');
  });

  test.each([
    ['modern', 'legacy streamable HTTP', 'initialize'],
    ['legacy', 'modern streamable HTTP', 'server/discover'],
  ] as const)('a client that is told to be %s leaves the other era out', async (era, kind, never) => {
    await using rig = await openRig(kind, { client: { era } });
    await expect(rig.client.connect()).rejects.toMatchObject({ name: expect.stringMatching(/^Mcp/u) as string });
    expect(rig.server.log.count(never)).toBe(0);
  });

  test('a legacy server that ignores the probe gets the old greeting in time', async () => {
    await using rig = await openRig('legacy stdio', { client: { deadlines: { probeMs: 50, connectMs: 10_000 } } });
    rig.server.script.on('server/discover').always().hang();
    await rig.client.callTool('echo', { text: 'x' });
    expect(rig.client.protocol?.era).toBe('legacy');
  });

  test('a legacy server that dies of the probe is started again and greeted the old way', async () => {
    await using rig = await openRig('legacy stdio');
    rig.server.script.on('server/discover').always().crash('after-read');
    expect(textOf(await rig.client.callTool('echo', { text: 'x' }))).toBe('x');
    expect(rig.links()).toBe(2);
    expect(rig.server.log.count('server/discover')).toBe(1);
  });

  test.each([400, 404, 405, 415, 500])('HTTP status %i for the probe means legacy', async (status) => {
    await using rig = await openRig('legacy streamable HTTP');
    rig.server.script.on('server/discover').always().respondStatus(status);
    await rig.client.callTool('echo', { text: 'x' });
    expect(rig.client.protocol).toMatchObject({ era: 'legacy', transport: 'streamable_http' });
  });

  test.each([401, 403, 429, 503])('HTTP status %i for the probe says nothing of the era', async (status) => {
    await using rig = await openRig('legacy streamable HTTP', { client: { maxRetries: 0 } });
    rig.server.script.on('server/discover').always().respondStatus(status);
    await expect(rig.client.connect()).rejects.toMatchObject({ details: { http_status: status } });
    expect(rig.server.counters.initialize).toBe(0);
  });
});

describe('transports', () => {
  test('a server that only has HTTP+SSE is found behind a Streamable HTTP config', async () => {
    await using server = fakeServer({ tools: ['echo'] });
    const { url } = await server.listenSse();
    const events: unknown[] = [];
    await using client = new McpClient({
      config: { mcp_server_type: 'streamable_http', server_url: url },
      onEvent: (event) => events.push(event),
    });
    expect(textOf(await client.callTool('echo', { text: 'x' }))).toBe('x');
    expect(client.protocol).toMatchObject({ era: 'legacy', transport: 'sse' });
    expect(events).toContainEqual({ type: 'transport-fallback', from: 'streamable_http', to: 'sse' });
    server.log.clear();
    await client.dispose();
    await client.callTool('echo', { text: 'y' });
    expect(server.log.verbs()).toEqual(['GET']);
    expect(server.log.count('server/discover')).toBe(0);
  });

  test('a Streamable HTTP server is found behind an sse config', async () => {
    await using server = fakeServer({ tools: ['echo'], getStream: false });
    const { url } = await server.listenHttp();
    await using client = new McpClient({ config: { mcp_server_type: 'sse', server_url: url } });
    expect(textOf(await client.callTool('echo', { text: 'x' }))).toBe('x');
    expect(client.protocol?.transport).toBe('streamable_http');
  });

  test('the profile of POST /sse with list_tools and call_tool', async () => {
    await using server = fakeServer({ tools: ['echo', 'counter'] });
    const { url } = await server.listenExternal();
    await using client = new McpClient({
      config: { mcp_server_type: 'sse', server_url: url },
      profile: 'post-sse',
    });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['echo', 'counter']);
    expect(textOf(await client.callTool('echo', { text: 'hé' }))).toBe('hé');
    expect(client.sessionId).toEqual(expect.any(String));
    await expect(client.listPrompts()).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
    server.dropSessions();
    expect(textOf(await client.callTool('counter'))).toBe('1');
    expect(server.counters.initialize).toBe(2);
  });
});
