import { describe, expect, test } from 'vitest';
import { secretsOf } from './config-secrets.js';

describe('the secrets of a config', () => {
  test('of a server behind HTTP are its token and its headers', () => {
    expect(
      secretsOf({
        mcp_server_type: 'streamable_http',
        server_url: 'https://x.example/mcp',
        auth_token: 'Bearer abcdef',
        custom_headers: { 'X-Key': 'key-value' },
      }),
    ).toEqual(['Bearer abcdef', 'abcdef', 'key-value']);
  });

  test('of a process are its variables', () => {
    const config = { mcp_server_type: 'stdio', command: 'x', args: [] } as const;
    expect(secretsOf({ ...config, args: [], env: { A: 'secret', B: '' } })).toEqual(['secret']);
    expect(secretsOf({ ...config, args: [], env: null })).toEqual([]);
  });
});
