import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ListenAddress } from '../command-line/read-settings.js';
import { testProgram } from '../test-support/test-program.js';
import { answerHttp } from './http-server.js';
import { McpEndpoint } from './mcp-endpoint.js';

const BASE = 'http://127.0.0.1:3999';
const ADDRESS = { host: '127.0.0.1', port: 3999, allowHosts: [], allowOrigins: [] };

let answer: (request: Request) => Promise<Response>;
let endpoint: McpEndpoint;
let program: ReturnType<typeof testProgram>;

const build = async (address: ListenAddress = ADDRESS): Promise<void> => {
  program = testProgram();
  const parts = await program.open({ values: {}, env: {}, cwd: '/', log: () => undefined });
  const options = { program, parts, log: () => undefined };
  endpoint = new McpEndpoint(options);
  answer = answerHttp(address, endpoint, options);
};

beforeEach(async () => {
  await build();
  return () => endpoint.close();
});

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const request = (path: string, { headers, ...init }: Sent = {}): Promise<Response> =>
  answer(new Request(`${BASE}${path}`, { ...init, headers: { host: '127.0.0.1:3999', ...headers } }));

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  request('/mcp', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const BOTH = { accept: 'application/json, text/event-stream' };
const rpc = (method: string, params: object = {}, id: number | string = 1) => ({ jsonrpc: '2.0', id, method, params });
const initialize = (protocolVersion = '2025-06-18') =>
  rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } });
const echo = rpc('tools/call', { name: 'echo', arguments: { text: 'hi' } });

const openSession = async (version?: string): Promise<Record<string, string>> => {
  const response = await post(initialize(version));
  const id = response.headers.get('mcp-session-id') ?? '';
  await response.text();
  return { 'mcp-session-id': id };
};

describe('/health', () => {
  it('says that the server serves', async () => {
    const response = await request('/health');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: 'ok',
      name: 'plugboard-test',
      version: '9.9.9',
      sessions: 0,
      mood: 'good',
    });
    expect((await request('/health', { method: 'POST' })).status).toBe(405);
    expect((await request('/elsewhere')).status).toBe(404);
  });
});

describe('Host and Origin', () => {
  it.each([
    ['a foreign Host', { host: 'evil.example' }, 403],
    ['a foreign Origin', { origin: 'https://evil.example' }, 403],
    ['an Origin that is none', { origin: 'null' }, 403],
    ['a page of this machine', { origin: 'http://localhost:8080' }, 200],
    ['localhost', { host: 'localhost:3999' }, 200],
  ])('%s gets %s', async (_what, headers, status) => {
    expect((await request('/health', { headers })).status).toBe(status);
  });

  it('lets an allowed page read the answer', async () => {
    const response = await request('/health', { headers: { origin: 'http://localhost:8080' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:8080');
    expect(response.headers.get('access-control-expose-headers')).toContain('Mcp-Session-Id');
    expect(response.headers.get('vary')).toBe('Origin');
  });

  it('answers a preflight, but not for a foreign page', async () => {
    const response = await request('/mcp', { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('GET');
    const asked = { origin: 'http://127.0.0.1:1', 'access-control-request-headers': 'mcp-session-id' };
    expect(
      (await request('/mcp', { method: 'OPTIONS', headers: asked })).headers.get('access-control-allow-headers'),
    ).toBe('mcp-session-id');
    expect((await request('/mcp', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })).status).toBe(
      403,
    );
  });

  it('can be opened by name', async () => {
    await endpoint.close();
    await build({ ...ADDRESS, host: '0.0.0.0', allowHosts: ['docs.example'], allowOrigins: ['app.example'] });
    const headers = { host: 'docs.example', origin: 'https://app.example' };
    expect((await request('/health', { headers })).status).toBe(200);
    expect((await request('/health', { headers: { host: 'other.example' } })).status).toBe(403);
  });

  it('beyond loopback any Host will do, as nobody knows its names', async () => {
    await endpoint.close();
    await build({ ...ADDRESS, host: '0.0.0.0' });
    expect((await request('/health', { headers: { host: 'container-7:3999' } })).status).toBe(200);
  });
});

describe('a message outside of any session', () => {
  it('is answered as plain JSON', async () => {
    const response = await post(echo);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'hi' }] } });
    expect(await (await post(rpc('tools/list'), { accept: 'application/json' })).json()).toMatchObject({ id: 1 });
    expect(endpoint.sessions).toBe(0);
  });

  it('may have members that nobody knows', async () => {
    expect(await (await post({ ...echo, extra: true })).json()).toMatchObject({
      result: { content: [{ text: 'hi' }] },
    });
  });

  it.each([
    ['no JSON', 'nonsense', 400],
    ['no message', { hello: 1 }, 400],
  ])('that is %s is refused', async (_what, body, status) => {
    expect((await post(body)).status).toBe(status);
  });

  it('that accepts neither JSON nor a stream is refused', async () => {
    expect((await post(echo, { accept: 'text/html' })).status).toBe(406);
    expect((await post(echo, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('is given up when its caller leaves', async () => {
    const leaving = new AbortController();
    const pending = answer(
      new Request(`${BASE}/mcp`, {
        method: 'POST',
        body: JSON.stringify(rpc('tools/call', { name: 'wait', arguments: {} })),
        headers: { host: '127.0.0.1', 'content-type': 'application/json' },
        signal: leaving.signal,
      }),
    );
    setImmediate(() => leaving.abort());
    expect((await pending).status).toBe(499);
    await expect.poll(() => program.seen.aborted).toBe(1);
  });

  it.each([
    [
      'initialize without its version',
      rpc('initialize', { capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
    ],
    ['a cursor that was never given', rpc('tools/list', { cursor: 'x' })],
  ])('with %s is invalid', async (_what, body) => {
    expect(await (await post(body)).json()).toMatchObject({ id: 1, error: { code: -32_602 } });
  });
});

describe('a session', () => {
  it('is opened by initialize, used, and ended by DELETE', async () => {
    const session = await openSession();
    expect(endpoint.sessions).toBe(1);
    expect(await (await post(echo, session)).json()).toMatchObject({ result: { content: [{ text: 'hi' }] } });
    expect((await request('/mcp', { method: 'DELETE', headers: session })).status).toBe(200);
    expect(endpoint.sessions).toBe(0);
    expect((await post(echo, session)).status).toBe(404);
  });

  it('streams to whoever reads streams', async () => {
    const response = await post(initialize(), BOTH);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toContain('"protocolVersion":"2025-06-18"');
  });

  it('has a stream that stays open', async () => {
    const session = await openSession();
    const stream = await request('/mcp', { headers: { ...session, accept: 'text/event-stream' } });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await stream.body?.cancel();
  });

  it('has batches only in the revision that has them', async () => {
    const batch = [rpc('ping', {}, 'a'), rpc('ping', {}, 'b')];
    expect((await post(batch, await openSession('2025-06-18'))).status).toBe(400);
    expect(await (await post(batch, await openSession('2025-03-26'))).json()).toHaveLength(2);
  });

  it('is not opened by an initialize that is refused', async () => {
    expect((await post(initialize(), { 'content-type': 'text/plain' })).status).toBe(415);
    expect(endpoint.sessions).toBe(0);
  });
});

describe('a stream without a session', () => {
  it('says at once that it is open', async () => {
    const response = await request('/mcp', { headers: { accept: 'text/event-stream' } });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
    });
    const reader = response.body?.getReader();
    onTestFinished(() => reader?.cancel());
    const first = Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(first).toBe('event: connected\ndata: {"name":"plugboard-test","version":"9.9.9"}\n\n');
    const rest = reader?.read();
    await endpoint.close();
    expect(await rest).toMatchObject({ done: true });
  });

  it('is only for readers of streams', async () => {
    expect((await request('/mcp', { headers: { accept: 'application/json' } })).status).toBe(406);
    expect((await request('/mcp', { method: 'DELETE' })).status).toBe(405);
  });
});

describe('a modern request', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };

  it('stands alone', async () => {
    const body = rpc('tools/call', { name: 'echo', arguments: { text: 'hi' }, _meta: meta });
    const headers = { ...BOTH, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
    expect(await (await post(body, headers)).json()).toMatchObject({ id: 1, result: { content: [{ text: 'hi' }] } });
    expect(endpoint.sessions).toBe(0);
  });
});
