import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { ownerFetch } from '../../support/hub-keys.js';

let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub();
});
afterAll(async () => {
  await hub.close();
});

const JSON_TYPE = { 'content-type': 'application/json' };
const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
const many = `{"a":[${'0,'.repeat(100_000)}0]}`;
const stdio = { mcp_server_type: 'stdio', command: 'node', args: [] };
const http = { mcp_server_type: 'streamable_http', server_url: 'http://127.0.0.1:1/mcp' };
const server = (change: object, config: object = stdio): string =>
  JSON.stringify({ server_name: 'a', config, ...change });

/** method, path, body, status, code */
const ROWS: readonly (readonly [string, string, string, string | undefined, number, string])[] = [
  ['an unknown path', 'GET', '/nowhere', undefined, 404, 'NOT_FOUND'],
  ['an unknown API path', 'GET', '/v1/nowhere', undefined, 404, 'NOT_FOUND'],
  ['a method that a path does not have', 'DELETE', '/health', undefined, 405, 'METHOD_NOT_ALLOWED'],
  ['a method that an API path does not have', 'PUT', '/v1/mcp-servers', '{}', 405, 'METHOD_NOT_ALLOWED'],
  ['broken percent-encoding', 'GET', '/servers/%E0%A4%A/tools', undefined, 400, 'INVALID_ARGUMENT'],
  ['traversal in a name', 'GET', '/servers/..%2F..%2Fetc/tools', undefined, 404, 'SERVER_NOT_FOUND'],
  ['traversal in an id', 'GET', '/v1/mcp-servers/..%2F..%2Fetc', undefined, 404, 'SERVER_NOT_FOUND'],
  ['an unknown server', 'POST', '/servers/nobody/mcp', '{}', 404, 'SERVER_NOT_FOUND'],
  ['a body that is no JSON', 'POST', '/v1/mcp-servers', '{', 400, 'INVALID_JSON'],
  ['a deep body', 'POST', '/v1/mcp-servers', deep, 400, 'INVALID_JSON'],
  ['a body of too many values', 'POST', '/v1/mcp-servers', many, 400, 'INVALID_JSON'],
  ['a conversation of too many values', 'POST', '/v1/chat/completions', many, 400, 'INVALID_JSON'],
  ['arguments of too many values', 'POST', '/servers/nobody/tools/any', many, 400, 'INVALID_JSON'],
  ['an unknown member', 'POST', '/v1/mcp-servers', server({ extra: 1 }), 422, 'VALIDATION_FAILED'],
  [
    'an unknown member of the config',
    'POST',
    '/v1/mcp-servers',
    server({}, { ...stdio, shell: true }),
    422,
    'VALIDATION_FAILED',
  ],
  ['a wrong type', 'POST', '/v1/mcp-servers', server({ server_name: 7 }), 422, 'VALIDATION_FAILED'],
  ['traversal in a new name', 'POST', '/v1/mcp-servers', server({ server_name: '../x' }), 422, 'VALIDATION_FAILED'],
  [
    'a URL of another kind',
    'POST',
    '/v1/mcp-servers',
    server({}, { ...http, server_url: 'file:///etc/passwd' }),
    422,
    'VALIDATION_FAILED',
  ],
  [
    'CRLF in a header',
    'POST',
    '/v1/mcp-servers',
    server({}, { ...http, custom_headers: { 'X-A': 'a\r\nb: c' } }),
    422,
    'VALIDATION_FAILED',
  ],
  ['10 MB', 'POST', '/v1/mcp-servers', `"${'x'.repeat(10_000_000)}"`, 413, 'PAYLOAD_TOO_LARGE'],
];

describe('bad input over HTTP', () => {
  it.each(ROWS)('%s is refused with code, sentence and hint', async (_, method, path, body, status, code) => {
    const response = await ownerFetch(hub.url + path, {
      method,
      ...(body === undefined ? {} : { body, headers: JSON_TYPE }),
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { code, message: expect.stringMatching(/\w/u), hint: expect.stringMatching(/\w/u) },
      detail: expect.any(String),
    });
  });

  it.each([
    ['10 MB', `"${'x'.repeat(10_000_000)}"`, 413, -32600],
    ['a deep message', deep, 400, -32700],
    ['no JSON', 'nonsense', 400, -32700],
    ['no message', '[]', 400, -32600],
  ])('an MCP endpoint answers %s in JSON-RPC or as an envelope', async (_, body, status, rpcCode) => {
    const response = await fetch(`${hub.url}/mcp`, { method: 'POST', body, headers: JSON_TYPE });
    expect(response.status).toBe(status);
    const json = (await response.json()) as { error: { code: unknown } };
    expect([rpcCode, 'PAYLOAD_TOO_LARGE']).toContain(json.error.code);
  });

  const UNTYPED: readonly (readonly [string, string | URLSearchParams | Uint8Array<ArrayBuffer>])[] = [
    ['a form', new URLSearchParams('a=b')],
    ['text', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['no type', new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}')],
  ];

  it.each(UNTYPED)('a plain call does not read %s, which any web page can send', async (_, body) => {
    const response = await fetch(`${hub.url}/servers/any/tools/any`, { method: 'POST', body });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      error: { code: 'UNSUPPORTED_MEDIA_TYPE', hint: expect.stringMatching(/\w/u) },
    });
  });

  it('a plain call needs no type where it has no body', async () => {
    const response = await fetch(`${hub.url}/servers/any/tools/any`, { method: 'POST' });
    expect(response.status).toBe(404);
  });

  it.each(UNTYPED)('an MCP endpoint does not read %s, which any web page can send', async (_, body) => {
    const response = await fetch(`${hub.url}/mcp`, { method: 'POST', body });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32600, data: { code: 'UNSUPPORTED_MEDIA_TYPE', hint: expect.stringMatching(/\w/u) } },
    });
  });

  it('a page from another origin, or under another host name, is kept out', async () => {
    const raw = async (headers: string): Promise<string> => {
      const { hostname, port } = new URL(hub.url);
      const socket = connect(Number(port), hostname);
      socket.write(`GET /servers HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      await once(socket, 'close');
      return text.split('\r\n')[0] ?? '';
    };
    expect(await raw('Host: rebound.example')).toContain('403');
    expect(await raw('Host: 127.0.0.1\r\nOrigin: https://evil.example')).toContain('403');
    expect(await raw('Host: 127.0.0.1')).toContain('200');
  });

  it('still serves afterwards', async () => {
    expect((await fetch(`${hub.url}/health`)).status).toBe(200);
  });
});
