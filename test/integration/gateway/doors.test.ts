import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { rawHttpClient, type Era } from '@plugboard/testing';
import { describe, expect, it } from 'vitest';
import { startRig, type GatewayRig } from './rig.js';

const INFO = { name: 'probe', version: '1.0.0' };
const ERAS: readonly Era[] = ['legacy', 'modern'];
const RESOURCES = [{ uri: 'x://1', name: 'one', text: '1' }];
const WATCHABLE = {
  tools: ['echo'],
  resources: RESOURCES,
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } },
} as const;

const start = (eras: Era): Promise<GatewayRig> => startRig({ ...WATCHABLE, eras });

/** Events of a stream as they come, until enough have. */
const readUntil = async (response: Response, done: (text: string) => boolean): Promise<string> => {
  if (response.body === null) throw new Error('there is no stream');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!done(text)) {
    const { value, done: ended } = await reader.read();
    if (ended) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
};

describe('HTTP+SSE', () => {
  it('serves a client of 2024-11-05 and lets go of it with its stream', async () => {
    await using rig = await start('legacy');
    const client = new Client(INFO);
    await client.connect(new SSEClientTransport(new URL('/servers/fake/sse', rig.hub.url)));
    expect(await client.callTool({ name: 'echo', arguments: { text: 'old' } })).toMatchObject({
      content: [{ text: 'old' }],
    });
    await client.close();
    const unknown = await fetch(new URL('/messages?sessionId=none', rig.hub.url), { method: 'POST', body: '{}' });
    expect(unknown.status).toBe(404);
    expect((await fetch(new URL('/sse', rig.hub.url), { method: 'POST' })).status).toBe(405);
  });
});

describe('a legacy session', () => {
  it('ends with DELETE, and is then 404; versions and batches are checked', async () => {
    await using rig = await start('legacy');
    const raw = rawHttpClient(rig.url.href);
    await raw.initialize('2025-03-26');
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    expect((await raw.post([ping(1), ping(2)])).status).toBe(200);
    expect((await raw.request('ping', {}, { headers: { 'mcp-protocol-version': 'nonsense' } })).status).toBe(400);
    expect((await raw.fetch('DELETE')).status).toBe(200);
    expect((await raw.request('ping')).status).toBe(404);
    expect((await raw.fetch('GET')).status).toBe(404);
    await raw.initialize('2025-11-25');
    expect((await raw.post([ping(1)])).status).toBe(400);
    raw.sessionId = undefined;
    expect((await raw.fetch('GET')).status).toBe(405);
    expect((await raw.fetch('PUT')).status).toBe(405);
  });
});

describe.each(ERAS)('changes of a %s server', (era) => {
  it('reach a legacy client', async () => {
    await using rig = await start(era);
    const client = new Client(INFO);
    const heard = new Set<string>();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.add(params.uri));
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.add('tools'));
    await client.connect(new StreamableHTTPClientTransport(rig.url));
    await client.subscribeResource({ uri: 'x://1' });
    rig.server.updateResource('x://1', '2');
    await expect.poll(() => heard.has('x://1'), { timeout: 20_000 }).toBe(true);
    rig.server.setTools(['echo', 'add']);
    await expect.poll(() => heard.has('tools'), { timeout: 20_000 }).toBe(true);
    await expect.poll(async () => (await client.listTools()).tools.length, { timeout: 20_000 }).toBe(2);
    await client.close();
  });

  it('reach a modern client that listens, after the acknowledgement and with its id', async () => {
    await using rig = await start(era);
    const raw = rawHttpClient(rig.url.href, { era: 'modern' });
    await raw.request('server/discover');
    const gone = new AbortController();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['x://1'] };
    const response = await raw.fetch('POST', {
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'l',
        method: 'subscriptions/listen',
        params: { notifications, _meta: meta },
      }),
      signal: gone.signal,
    });
    rig.server.updateResource('x://1', '2');
    rig.server.setTools(['add']);
    const text = await readUntil(
      response,
      (all) => all.includes('tools/list_changed') && all.includes('resources/updated'),
    );
    const messages = text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as { method: string; params: { _meta: Record<string, unknown> } });
    expect(messages[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications },
    });
    for (const { params } of messages) expect(params._meta['io.modelcontextprotocol/subscriptionId']).toBe('l');
    gone.abort();
  });
});

describe('standard input and output', () => {
  it('serve both eras in turn', async () => {
    await using rig = await start('modern');
    const [input, output] = [new PassThrough(), new PassThrough()];
    const stop = new AbortController();
    const serving = rig.hub.serveStdio({ input, output }, stop.signal, { server: 'fake' });
    const lines: { id?: unknown; result?: Record<string, unknown>; error?: { code: number } }[] = [];
    let rest = '';
    output.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts.map((line) => JSON.parse(line) as (typeof lines)[number]));
    });
    const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const answer = async (id: unknown) => {
      await expect.poll(() => lines.some((line) => line.id === id), { timeout: 20_000 }).toBe(true);
      return lines.find((line) => line.id === id);
    };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    send({ id: 1, method: 'initialize', params });
    expect((await answer(1))?.result).toMatchObject({ protocolVersion: '2025-11-25' });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'echo', arguments: { text: 'legacy' } } });
    expect(JSON.stringify(await answer(2))).toContain('legacy');
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    send({ id: 3, method: 'tools/call', params: { name: 'echo', arguments: { text: 'modern' }, _meta } });
    expect((await answer(3))?.result).toMatchObject({ resultType: 'complete' });
    input.write('no json\n');
    await expect.poll(() => lines.some((line) => line.error?.code === -32700), { timeout: 20_000 }).toBe(true);
    input.end();
    await serving;
  });
});
