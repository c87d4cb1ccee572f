import type { ApiKeyCreated } from '@plugboard/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_ACCESS } from '../settings/access-settings.js';
import { DEFAULT_BOUNDS } from '../settings/bounds-settings.js';
import { type MemoryHub, memoryHub } from '../test-support/memory-hub.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const MCP = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

const GREETING = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
});

describe('a hub without keys', () => {
  let rig: MemoryHub;
  beforeAll(async () => {
    rig = await memoryHub();
  });
  afterAll(() => rig.close());

  it('says how it is', async () => {
    expect((await rig.ask('/health')).json()).toMatchObject({ status: 'ok' });
    expect((await rig.ask('/ready')).json()).toMatchObject({ status: 'ready', store: 'ok', servers: {} });
    const head = await rig.ask('/health', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('serves MCP, the gateway and the admin API', async () => {
    const greeted = await rig.ask('/mcp', { method: 'POST', headers: MCP, body: GREETING });
    expect(greeted.status).toBe(200);
    expect(greeted.headers['mcp-session-id']).toBeDefined();
    expect((await rig.ask('/servers')).json()).toEqual(expect.anything());
    expect((await rig.ask('/v1/mcp-servers', { headers: bearer(rig.hub.localKey) })).json()).toEqual([]);
    expect((await rig.ask('/metrics')).text).toContain('# TYPE');
    expect((await rig.ask('/v1/calls', { headers: bearer(rig.hub.localKey) })).json()).toMatchObject({ tools: [] });
    expect((await rig.ask('/openapi.json')).json()).toMatchObject({ openapi: expect.any(String) as string });
  });

  it('answers a path that nobody has with 404', async () => {
    expect((await rig.ask('/no/such/path')).status).toBe(404);
    expect((await rig.ask('/servers/unknown/tools')).status).toBe(404);
  });

  it('refuses a server that its policies do not allow', async () => {
    const add = (config: object) =>
      rig.ask('/v1/mcp-servers', {
        method: 'POST',
        headers: { ...JSON_TYPE, ...bearer(rig.hub.localKey) },
        body: JSON.stringify({ server_name: 'x', config }),
      });
    const program = await add({ mcp_server_type: 'stdio', command: 'true', args: [] });
    expect(program.json()).toMatchObject({ error: { code: 'STDIO_DISABLED' } });
    const loopback = await add({ mcp_server_type: 'streamable_http', server_url: 'http://127.0.0.1:1/mcp' });
    expect(loopback.json()).toMatchObject({ error: { code: 'URL_REFUSED' } });
  });

  it.each([
    ['another host', { host: 'evil.example' }, 403, 'ORIGIN_REFUSED'],
    ['a page from elsewhere', { origin: 'https://evil.example' }, 403, 'ORIGIN_REFUSED'],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403, 'ORIGIN_REFUSED'],
  ])('refuses %s', async (_, headers, status, code) => {
    const answer = await rig.ask('/v1/mcp-servers', { headers });
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ error: { code } });
  });

  it('wants JSON in a body, and not too much of it', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const wrong = await rig.ask('/servers/x/tools/y', { method: 'POST', headers: form, body: 'a=1' });
    expect(wrong.status).toBe(415);
    const large = await rig.ask('/servers/x/tools/y', {
      method: 'POST',
      headers: JSON_TYPE,
      body: `"${'x'.repeat(5_000_000)}"`,
    });
    expect(large.status).toBe(413);
    expect(large.headers.connection).toBe('close');
  });

  it('shows the page where people log in', async () => {
    const page = await rig.ask('/login');
    expect(page.headers['content-type']).toContain('text/html');
    expect((await rig.ask('/v1/session', { method: 'PUT' })).headers.allow).toContain('POST');
  });
});

describe('a hub with keys', () => {
  let rig: MemoryHub;
  let key = '';
  const created = async (role: string): Promise<ApiKeyCreated> =>
    (
      await rig.ask('/v1/keys', {
        method: 'POST',
        headers: { ...JSON_TYPE, ...bearer(rig.hub.localKey) },
        body: JSON.stringify({ name: `a ${role}`, role }),
      })
    ).json() as ApiKeyCreated;

  beforeAll(async () => {
    rig = await memoryHub();
    ({ key } = await created('admin'));
  });
  afterAll(() => rig.close());

  it('asks for one, and says how it is sent', async () => {
    expect(await rig.hub.accessControlled()).toBe(true);
    for (const path of ['/v1/mcp-servers', '/servers', '/metrics']) {
      const answer = await rig.ask(path);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
    }
    expect((await rig.ask('/mcp', { method: 'POST', headers: MCP, body: GREETING })).status).toBe(401);
  });

  it('takes it in either header, and no other', async () => {
    expect((await rig.ask('/v1/mcp-servers', { headers: bearer(key) })).status).toBe(200);
    expect((await rig.ask('/v1/mcp-servers', { headers: { 'x-api-key': key } })).status).toBe(200);
    expect((await rig.ask('/v1/mcp-servers', { headers: bearer('pb_wrong') })).status).toBe(401);
  });

  it('lets a key do what its role may', async () => {
    const { key: reader } = await created('viewer');
    expect((await rig.ask('/v1/mcp-servers', { headers: bearer(reader) })).status).toBe(200);
    const refused = await rig.ask('/v1/keys', { headers: bearer(reader) });
    expect(refused.json()).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
  });

  it('logs a browser in and out', async () => {
    const opened = await rig.ask('/v1/session', {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ key }),
    });
    expect(opened.status).toBe(201);
    const cookie = String(opened.headers['set-cookie']?.[0]).split(';')[0] ?? '';
    const { csrf_token: csrf } = opened.json() as { csrf_token: string };
    const page = { headers: { cookie, 'x-plugboard-csrf': csrf } };
    expect((await rig.ask('/v1/session', page)).json()).toMatchObject({ role: 'admin' });
    expect((await rig.ask('/v1/mcp-servers', page)).status).toBe(200);
    const change = { method: 'DELETE', headers: { cookie } };
    expect((await rig.ask('/v1/session', change)).json()).toMatchObject({ error: { code: 'ORIGIN_REFUSED' } });
    const closed = await rig.ask('/v1/session', { ...change, ...page });
    expect(closed.status).toBe(204);
    expect((await rig.ask('/v1/mcp-servers', page)).status).toBe(401);
  });

  it('replaces the key that seals secrets while it runs', async () => {
    const answer = await rig.ask('/v1/keys/rotate-master', { method: 'POST', headers: bearer(key) });
    expect(answer.json()).toMatchObject({ unreadable: 0 });
  });
});

it('says when it stops, and answers in its own process without a key', async () => {
  const rig = await memoryHub({ access: { ...DEFAULT_ACCESS, required: true } });
  try {
    expect((await rig.ask('/servers')).status).toBe(401);
    const own = await rig.hub.fetch(new Request('http://hub/v1/mcp-servers'));
    expect(await own.json()).toEqual([]);
    expect((await rig.hub.fetch(new Request('http://hub/health'))).status).toBe(200);
    rig.hub.listensAt('http://127.0.0.1:2091');
    rig.hub.beginStopping();
    expect((await rig.ask('/ready')).json()).toMatchObject({ status: 'stopping' });
  } finally {
    await rig.close();
  }
});

describe('a question to an agent', () => {
  it.each(['/v1/chat/completions', '/v1/responses'])('needs memory for its conversation (%s)', async (path) => {
    const rig = await memoryHub({ bounds: { ...DEFAULT_BOUNDS, messageBytes: 4 * 1024 * 1024 } });
    onTestFinished(() => rig.close());
    const ask = (text: string) =>
      rig.ask(path, {
        method: 'POST',
        headers: { ...JSON_TYPE, ...bearer(rig.hub.localKey) },
        body: JSON.stringify({ model: 'nobody', messages: [{ role: 'user', content: text }], input: text }),
      });
    const refused = await ask('x'.repeat(2 * 1024 * 1024));
    expect(refused.json()).toMatchObject({ error: { code: 'OVERLOADED', details: { limit: 'caller' } } });
    // What an answered question took is given back.
    for (const _turn of [1, 2, 3, 4, 5]) {
      expect((await ask('x'.repeat(200 * 1024))).json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    }
  });
});
