import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuditEntry, CallSummary } from '@plugboard/contract';
import { fakeServer, rawHttpClient, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFAULTS } from '../../../packages/plugboard/src/settings/settings.js';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { ownerFetch } from '../../support/hub-keys.js';

const CANARY = 'canary-2b7e151628aed2a6';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

/** Takes spans as a collector does, and keeps every byte. */
const startCollector = async () => {
  const bodies: string[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(Buffer.concat(parts).toString('latin1'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/traces`, bodies, server };
};

let hub: RealHub;
let server: FakeServer;
let collector: Awaited<ReturnType<typeof startCollector>>;
let events: string;
let reading: Promise<void>;
const stopReading = new AbortController();
const lines: string[] = [];
let serverId: string;

const readEvents = async (url: string): Promise<void> => {
  const answer = await ownerFetch(`${url}/v1/events`, { signal: stopReading.signal });
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) events += decoder.decode(part, { stream: true });
};

beforeAll(async () => {
  events = '';
  collector = await startCollector();
  server = fakeServer({ tools: ['echo', 'fail', { name: 'slow', handler: 'sleep' }] });
  const { url } = await server.listenHttp();
  const write =
    (level: string) =>
    (message: string, fields = {}): void =>
      void lines.push(JSON.stringify({ level, message, ...fields }));
  hub = await startRealHub({
    settings: { observe: { ...DEFAULTS.observe, tracesUrl: collector.url, slowMs: 200 } },
    log: { info: write('info'), warn: write('warn'), error: write('error') },
  });
  reading = readEvents(hub.url).catch(() => undefined);
  await vi.waitUntil(() => events.includes('heartbeat'), { timeout: 20_000 });
  const config = {
    mcp_server_type: 'streamable_http',
    server_url: url,
    auth_token: CANARY,
    custom_headers: { 'X-Secret': CANARY },
  };
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'one', config });
  serverId = (json as { readonly id: string }).id;
});
afterAll(async () => {
  stopReading.abort();
  await reading;
  await hub.close();
  await server.close();
  collector.server.closeAllConnections();
  collector.server.close();
});

const call = async (name: string, args: object, headers: Readonly<Record<string, string>> = {}) => {
  const client = rawHttpClient(`${hub.url}/servers/one/mcp`, { era: 'modern' });
  return client.request('tools/call', { name, arguments: { ...args } }, { headers });
};
const get = async (path: string): Promise<string> => (await ownerFetch(hub.url + path)).text();

describe('a hub that is watched', () => {
  it("continues the client's trace at the server, in the header and in _meta", async () => {
    await call('echo', { text: CANARY }, { traceparent: PARENT, tracestate: 'vendor=1' });
    const received = await server.log.arrival('tools/call', 1, { timeoutMs: 20_000 });
    const traceparent = received.headers?.['traceparent'];
    expect(traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`, 'u'));
    expect(traceparent).not.toBe(PARENT);
    expect(JSON.stringify(received)).toContain('vendor=1');
    expect(received.params).toMatchObject({ _meta: { traceparent } });
  });

  it('counts, times, warns of and writes down what was called', async () => {
    await call('fail', {});
    await call('slow', { ms: 300 });
    await call('none', {});
    await hubCall(hub.url, 'POST', '/servers/one/tools/echo', { text: CANARY });
    const summary = JSON.parse(await get('/v1/calls')) as CallSummary;
    expect(summary.tools.map(({ tool, count }) => [tool, count])).toEqual([
      ['echo', 2],
      ['fail', 1],
      ['slow', 1],
    ]);
    expect(summary.methods.find(({ method }) => method === 'tools/call')).toMatchObject({ tool_errors: 1, failed: 1 });
    const metrics = await get('/metrics');
    expect(metrics).toContain('plugboard_requests_total{method="tools/call",server="one",outcome="ok"} 3');
    expect(metrics).toContain('code="tool_not_found"');
    expect(metrics).toContain('plugboard_server_state{server="one",state="ready"} 1');
    expect(lines.some((line) => line.includes('A request was slow') && line.includes('"tool":"slow"'))).toBe(true);
    const audit = JSON.parse(await get('/v1/audit?kind=call')) as AuditEntry[];
    expect(audit.map(({ target, outcome }) => [target, outcome])).toEqual([
      ['one/echo', 'ok'],
      ['server one', 'TOOL_NOT_FOUND'],
      ['one/slow', 'ok'],
      ['one/fail', 'tool_error'],
      ['one/echo', 'ok'],
    ]);
    expect(audit[4]?.details).toMatchObject({
      arguments: { text: `text of ${CANARY.length} characters` },
      trace_id: TRACE,
    });
  });

  it('tells what happens while it happens', async () => {
    server.setTools([{ name: 'echo', description: 'Another text.' }]);
    await hubCall(hub.url, 'POST', `/v1/mcp-servers/${serverId}/sync`);
    await hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${serverId}`, { server_name: 'other' });
    await expect.poll(() => events, { timeout: 20_000 }).toContain('event: server_changed');
    for (const name of ['server_added', 'server_synced', 'tool_quarantined']) {
      expect(events).toContain(`event: ${name}`);
    }
  });

  it('lets no secret into metrics, log, traces, audit or events', async () => {
    await expect.poll(() => collector.bodies.length, { timeout: 30_000 }).toBeGreaterThan(0);
    const places = {
      metrics: await get('/metrics'),
      calls: await get('/v1/calls'),
      audit: await get('/v1/audit/export'),
      log: lines.join('\n'),
      events,
      traces: collector.bodies.join('\n'),
    };
    const leaking = Object.entries(places).filter(([, text]) => text === '' || text.includes(CANARY));
    expect(leaking.map(([place]) => place)).toEqual([]);
    expect(places.traces).toContain('tools/call');
  });
});
