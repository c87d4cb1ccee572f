import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeServer, type FakeServer } from '../server/fake-server.js';
import { rawHttpClient, type RawHttpClient } from '../raw/raw-http-client.js';

const ECHO = { name: 'echo', arguments: { text: 'hi' } };
let server: FakeServer;
let client: RawHttpClient;

beforeEach(async () => {
  server = fakeServer({ tools: ['echo', 'progress', 'crash'], pageSize: 1 });
  client = rawHttpClient((await server.listenHttp()).url);
  await client.initialize();
});

afterEach(async () => {
  await server.close();
  assert.equal(server.counters.openConnections, 0);
});

const call = () => client.request('tools/call', ECHO);

const ended = async (): Promise<boolean> => {
  const controller = new AbortController();
  const answered = client.request('tools/call', ECHO, { signal: controller.signal }).then(
    () => true,
    () => false,
  );
  await server.log.arrival('tools/call');
  const result = await Promise.race([answered, new Promise<boolean>((resolve) => setTimeout(resolve, 100, false))]);
  controller.abort();
  await answered;
  return result;
};

describe('which messages', () => {
  test('the first, the nth, those after, always, and by name', async () => {
    server.script.on('tools/call').first().respondStatus(404);
    server.script.on('tools/call').nth(3).respondStatus(503);
    server.script.on('tools/call').after(4).respondStatus(500);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await call()).status);
    expect(statuses).toEqual([404, 200, 503, 200, 500, 500]);
    expect(server.counters.executed('echo')).toBe(2);
    server.script.clear();
    server.script.on('tools/call', { name: 'progress' }).always().respondStatus(418);
    expect((await call()).status).toBe(200);
    expect((await client.request('tools/call', { name: 'progress' })).status).toBe(418);
  });

  test('every message, an HTTP verb, a connection', async () => {
    server.script.on('*').first().respondStatus(500);
    expect((await client.request('ping')).status).toBe(500);
    server.script.on('GET').first().respondStatus(502, 'bad gateway');
    expect((await client.fetch('GET')).status).toBe(502);
    server.script.on('connection').always().cutSocket();
    await expect(Promise.all([call(), call(), call()])).rejects.toThrow(/fetch failed/);
  });
});

describe('what befalls them', () => {
  test('a status with or without a body and headers', async () => {
    server.script.on('tools/call').first().respondStatus(429, 'slow down', { 'retry-after': '7' });
    const limited = await call();
    expect([limited.status, limited.text, limited.headers.get('retry-after')]).toEqual([429, 'slow down', '7']);
    server.script.on('tools/call').first().respondStatus(404);
    expect((await call()).text).toBe('');
  });

  test('an error, a result, a delay', async () => {
    server.script.on('tools/call').first().respondError(-32000, 'boom', { why: 'because' });
    expect((await call()).response?.error).toEqual({ code: -32000, message: 'boom', data: { why: 'because' } });
    server.script.clear();
    server.script.on('tools/call').first().delay(1).respondResult({ content: [] });
    expect((await call()).response?.result).toEqual({ content: [] });
    expect(server.counters.executed()).toBe(0);
  });

  test('hanging before and after the headers and in the middle of an event', async () => {
    const rule = server.script.on('tools/call').always().hang();
    expect(await ended()).toBe(false);
    rule.hangAfterHeaders();
    const response = await client.fetch('POST', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: ECHO }),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await response.body?.cancel();
    rule.hangMidEvent();
    const half = await client.fetch('POST', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: ECHO }),
    });
    const { value } = await half.body!.getReader().read();
    expect(Buffer.from(value ?? []).toString()).toMatch(/^event: message\ndata: [^\n]*$/);
    expect(server.counters.executed()).toBe(0);
  });

  test('a stream that ends after n events', async () => {
    const progress = { name: 'progress', arguments: { steps: 5 }, _meta: { progressToken: 1 } };
    server.script.on('tools/call').first().endStreamAfter(2);
    const cut = await client.request('tools/call', progress);
    expect(cut.messages).toHaveLength(2);
    expect(cut.response).toBeUndefined();
    server.script.on('tools/call').first().endStreamAfter(0);
    expect((await call()).text).toBe('');
  });

  test('a socket that is cut before or after the handler', async () => {
    server.script.on('tools/call').first().cutSocket();
    await expect(call()).rejects.toThrow(/fetch failed/);
    expect(server.counters.executed('echo')).toBe(0);
    server.script.on('tools/call').first().cutSocket('after-handler');
    await expect(call()).rejects.toThrow(/fetch failed/);
    expect(server.counters.executed('echo')).toBe(1);
  });

  test('garbage, invalid JSON, HTML, a wrong content type, a wrong id, a long answer, bytes that drip', async () => {
    const rule = () => {
      server.script.clear();
      return server.script.on('tools/call').first();
    };
    rule().respondGarbage();
    expect((await call()).response).toBeUndefined();
    rule().respondInvalidJson();
    expect((await call()).response).toBeUndefined();
    rule().respondHtml();
    expect((await call()).headers.get('content-type')).toBe('text/html');
    rule().contentType('text/plain');
    const odd = await call();
    expect([odd.headers.get('content-type'), odd.response?.result]).toMatchObject(['text/plain', { content: [{}] }]);
    rule().wrongId();
    expect(String((await call()).response?.id)).toMatch(/^not-/);
    rule().padTo(200_000);
    expect(Buffer.byteLength((await call()).text)).toBeGreaterThanOrEqual(200_000);
    rule().drip(16, 1);
    expect((await call()).response?.result).toMatchObject({ content: [{ text: 'hi' }] });
  });

  test('a session that is dropped or renamed', async () => {
    server.script.on('tools/call').first().dropSession();
    expect((await call()).status).toBe(404);
    server.script.on('initialize').first().sessionId('chosen');
    await client.initialize();
    expect(client.sessionId).toBe('chosen');
    expect((await call()).status).toBe(200);
  });

  test('a list that never ends', async () => {
    server.script.on('tools/list').always().endlessPages();
    let cursor: unknown;
    for (let page = 0; page < 10; page += 1) {
      const result = (await client.request('tools/list', cursor === undefined ? {} : { cursor })).response?.result;
      expect(result?.['nextCursor']).not.toBe(cursor);
      cursor = result?.['nextCursor'];
      expect(cursor).toBeTypeOf('string');
    }
  });

  test('a crash cuts everything', async () => {
    await expect(client.request('tools/call', { name: 'crash' })).rejects.toThrow(/fetch failed/);
    await expect(call()).rejects.toThrow(/fetch failed/);
    expect(server.sessionIds).toEqual([]);
  });
});
