import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMasked, maskSecret } from '../secret/mask.js';
import { serverCreate, serverUpdate } from './server.js';

const stdio = { mcp_server_type: 'stdio', command: 'node', args: ['server.js'] };
const http = { mcp_server_type: 'streamable_http', server_url: 'https://example.com/mcp' };

describe('the shape of a server', () => {
  it('takes the three kinds', () => {
    expect(serverCreate.parse({ server_name: 'a', config: stdio }).config.mcp_server_type).toBe('stdio');
    expect(serverCreate.parse({ server_name: 'My server 2', config: http }).config.mcp_server_type).toBe(
      'streamable_http',
    );
    expect(
      serverCreate.parse({ server_name: 'c', config: { ...http, mcp_server_type: 'sse' } }).config.mcp_server_type,
    ).toBe('sse');
  });

  it.each([
    'https://${HOST}/mcp',
    'https://${ZONE}.example.com/mcp',
    '{{ BASE_URL }}',
    'http://localhost:{{ PORT | 80 }}/mcp',
  ])('takes the URL %s, to be filled in later', (server_url) => {
    expect(serverCreate.safeParse({ server_name: 'a', config: { ...http, server_url } }).success).toBe(true);
  });

  it.each([
    ['an unknown member', { server_name: 'a', config: { ...stdio, shell: true } }],
    ['an unknown kind', { server_name: 'a', config: { ...stdio, mcp_server_type: 'pipe' } }],
    ['traversal in the name', { server_name: '../etc', config: stdio }],
    ['a slash in the name', { server_name: 'a/b', config: stdio }],
    ['an empty name', { server_name: '', config: stdio }],
    ['a name that ends in a space', { server_name: 'a ', config: stdio }],
    ['a file URL', { server_name: 'a', config: { ...http, server_url: 'file:///etc/passwd' } }],
    ['a file URL with a reference', { server_name: 'a', config: { ...http, server_url: 'file://${HOST}/x' } }],
    ['no URL at all', { server_name: 'a', config: { ...http, server_url: 'not a url' } }],
    ['CRLF in a header value', { server_name: 'a', config: { ...http, custom_headers: { 'X-A': 'b\r\nX-C: d' } } }],
    ['CRLF in a header name', { server_name: 'a', config: { ...http, custom_headers: { 'X\r\nA': 'b' } } }],
    ['CRLF in the token', { server_name: 'a', config: { ...http, auth_token: 'a\nb' } }],
    ['NUL in an argument', { server_name: 'a', config: { ...stdio, args: ['a\u0000b'] } }],
    ['"=" in the name of a variable', { server_name: 'a', config: { ...stdio, env: { 'A=B': 'c' } } }],
  ])('refuses %s', (_, input) => {
    expect(serverCreate.safeParse(input).success).toBe(false);
  });

  it('lets an update leave everything else out', () => {
    expect(serverUpdate.parse({})).toEqual({});
    expect(serverUpdate.parse({ config: { mcp_server_type: 'stdio', command: null } }).config).toEqual({
      mcp_server_type: 'stdio',
      command: null,
    });
    expect(serverUpdate.safeParse({ config: { server_url: 'https://example.com' } }).success).toBe(false);
  });
});

describe('masking', () => {
  it('never shows more than the last four characters, and is recognised', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (secret) => {
        const masked = maskSecret(secret);
        expect(isMasked(masked)).toBe(true);
        expect(masked.length).toBeLessThanOrEqual(8);
        if (secret.length < 12) expect(masked).toBe('••••');
      }),
    );
  });
});
