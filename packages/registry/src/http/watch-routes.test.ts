import type { AuditEntry, HubEvent } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { noDataPlane } from '../port/data-plane.js';
import { EventFeed } from '../event/event-feed.js';
import { DEFAULT_LIMITS } from './limits.js';
import { eventStream } from './stream/event-stream.js';
import { adminFixture, httpServer } from './test-support/admin-fixture.js';

const CANARY = 'canary-secret-7d1f';

describe('the audit trail', () => {
  it('holds every change, whoever tried it, without any value', async () => {
    const { call, register } = await adminFixture({}, { admit: () => ({ id: 'anna', role: 'admin' }) });
    const input = httpServer('weather');
    const { id } = await register({ ...input, config: { ...input.config, auth_token: CANARY } as typeof input.config });
    await call('PATCH', `/v1/mcp-servers/${id}`, {
      config: { mcp_server_type: 'streamable_http', auth_token: CANARY },
    });
    await call('PATCH', '/v1/mcp-servers/mcp_server-none', { enabled: false });
    await call('POST', '/v1/mcp-servers', { server_name: CANARY.repeat(9) });
    await call('GET', '/v1/mcp-servers');
    const entries = (await call('GET', '/v1/audit')).body as AuditEntry[];
    expect(entries.map(({ action, outcome, actor }) => [action, outcome, actor])).toEqual([
      ['createServer', 'VALIDATION_FAILED', 'anna'],
      ['updateServer', 'SERVER_NOT_FOUND', 'anna'],
      ['updateServer', 'ok', 'anna'],
      ['createServer', 'ok', 'anna'],
    ]);
    expect(entries[2]).toMatchObject({
      kind: 'admin',
      target: `/v1/mcp-servers/${id}`,
      details: { body: ['config.mcp_server_type', 'config.auth_token'] },
    });
    expect(JSON.stringify(entries)).not.toContain(CANARY);
  });

  it('comes in pages and as JSON lines', async () => {
    const { call, app } = await adminFixture();
    for (const name of ['a', 'b', 'c']) await call('POST', '/v1/toolsets', { name });
    const first = await call('GET', '/v1/audit?limit=2&kind=admin');
    expect(first.body).toHaveLength(2);
    const next = first.headers.get('x-next-after') ?? '';
    const second = await call('GET', `/v1/audit?limit=2&after=${next}`);
    expect(second.body).toHaveLength(1);
    expect(second.headers.get('x-next-after')).toBeNull();
    expect((await call('GET', '/v1/audit?kind=call')).body).toEqual([]);
    expect((await call('GET', '/v1/audit?since=yesterday')).status).toBe(422);
    const file = await app.request('/v1/audit/export');
    expect(file.headers.get('content-type')).toContain('application/x-ndjson');
    const lines = (await file.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
    expect(lines).toEqual([...(first.body as AuditEntry[]), ...(second.body as AuditEntry[])]);
  });
});

const event = (name: string): HubEvent => ({ event: 'toolset_changed', at: '2026-01-01T00:00:00.000Z', name });
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('the stream of events', () => {
  it('tells what happens while somebody reads, and stops with the reader', async () => {
    const { app, call, registry } = await adminFixture();
    const answer = await app.request('/v1/events');
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe(': heartbeat\n\n');
    await call('POST', '/v1/toolsets', { name: 'mine' });
    expect((await reader?.read())?.value).toMatch(/^id: 1\nevent: toolset_changed\ndata: \{.*"name":"mine".*\}\n\n$/u);
    await reader?.cancel();
    expect(() => registry.events.emit(event('x'))).not.toThrow();
  });

  it('ends when the request is gone, and leaves no listener behind', async () => {
    const feed = new EventFeed(quiet);
    const gone = new AbortController();
    const options = { subscribe: feed.subscribe.bind(feed), limits: DEFAULT_LIMITS };
    const answer = eventStream({ ...options, signal: gone.signal });
    expect(feed.listenerCount).toBe(1);
    gone.abort();
    expect(feed.listenerCount).toBe(0);
    expect(await answer.text()).toBe(': heartbeat\n\n');
    await eventStream({ ...options, signal: gone.signal }).text();
    expect(feed.listenerCount).toBe(0);
  });

  it('tells a slow reader how much it missed', async () => {
    const feed = new EventFeed(quiet);
    const gone = new AbortController();
    const answer = eventStream({ subscribe: feed.subscribe.bind(feed), limits: DEFAULT_LIMITS, signal: gone.signal });
    for (let number = 0; number < 1100; number += 1) feed.emit(event(String(number)));
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = 0; read < 20; read += 1) await reader?.read();
    feed.emit(event('last'));
    gone.abort();
    let rest = '';
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) rest += part.value;
    expect(rest).toMatch(/"event":"events_missed","at":"[^"]+","count":10\d/u);
    expect(rest).toContain('"name":"last"');
  });
});

describe('figures', () => {
  it('come from the data plane', async () => {
    const summary = { ...noDataPlane.calls(), slow_after_ms: 1000 };
    const metrics = async () => ({ contentType: 'text/plain; version=0.0.4', text: 'a 1\n' });
    const { app, call } = await adminFixture({}, { dataPlane: { ...noDataPlane, calls: () => summary, metrics } });
    expect((await call('GET', '/v1/calls')).body).toEqual(summary);
    const answer = await app.request('/metrics');
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/plain; version=0.0.4', 'a 1\n']);
  });
});
