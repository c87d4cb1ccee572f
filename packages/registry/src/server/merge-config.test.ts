import type { ServerConfig, ServerConfigUpdate } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { mergeConfig, replacesAllSecrets } from './merge-config.js';

const stdio: ServerConfig = {
  mcp_server_type: 'stdio',
  command: 'node',
  args: ['a'],
  env: { KEY: 'key-secret', OTHER: 'other-secret' },
  cwd: '/srv',
};
const http: ServerConfig = {
  mcp_server_type: 'streamable_http',
  server_url: 'https://one.example/mcp',
  auth_header: 'X-Api-Key',
  auth_token: 'token-secret',
  custom_headers: { 'X-Team': 'team-secret' },
};

describe('mergeConfig', () => {
  it.each<[string, ServerConfig, object, object]>([
    ['keeps what is left out (stdio)', stdio, {}, {}],
    ['keeps what is left out (http)', http, {}, {}],
    ['leaves alone what may not be empty (stdio)', stdio, { command: null, args: null }, {}],
    ['leaves alone what may not be empty (http)', http, { server_url: null }, {}],
    ['clears what may be empty (stdio)', stdio, { env: null, cwd: null }, { env: null, cwd: null }],
    [
      'clears what may be empty (http)',
      http,
      { auth_header: null, auth_token: null, custom_headers: null },
      { auth_header: null, auth_token: null, custom_headers: null },
    ],
    [
      'takes new values (stdio)',
      stdio,
      { command: 'deno', args: [], cwd: '/tmp' },
      { command: 'deno', args: [], cwd: '/tmp' },
    ],
    ['takes a new environment as a whole', stdio, { env: { NEW: 'x' } }, { env: { NEW: 'x' } }],
    [
      'keeps masked values of the environment',
      stdio,
      { env: { KEY: '••••', NEW: 'x' } },
      { env: { KEY: 'key-secret', NEW: 'x' } },
    ],
    ['takes a template in place of a secret', http, { auth_token: '{{ TOKEN }}' }, { auth_token: '{{ TOKEN }}' }],
    ['keeps a masked token', http, { auth_token: '••••cret' }, {}],
    ['keeps a masked token behind its scheme', http, { auth_token: 'Bearer ••••cret' }, {}],
    [
      'keeps masked headers, whatever their case',
      http,
      { custom_headers: { 'x-team': '••••' } },
      { custom_headers: { 'x-team': 'team-secret' } },
    ],
    ['keeps a scheme for another header', http, { auth_token: 'Bearer x' }, { auth_token: 'Bearer x' }],
    [
      'drops the scheme that Authorization gets anyway',
      http,
      { auth_header: null, auth_token: 'bearer  x' },
      { auth_header: null, auth_token: 'x' },
    ],
  ])('%s', (_case, current, update, difference) => {
    const input = { mcp_server_type: current.mcp_server_type, ...update } as ServerConfigUpdate;
    expect(mergeConfig(current, input)).toEqual({ ...current, ...difference });
  });

  it.each(['https://two.example/mcp', 'http://one.example/mcp', 'https://one.example:444/mcp', '{{ HOST }}/mcp'])(
    'drops every secret when the URL moves to %s',
    (server_url) => {
      const oauth = { grant: 'authorization_code', client_id: 'c', client_secret: 'client-secret' } as const;
      const kept = { ...http, variables: { V: 'variable-secret' }, oauth } as ServerConfig;
      const merged = mergeConfig(kept, { mcp_server_type: 'streamable_http', server_url });
      expect(merged).toMatchObject({ server_url, auth_header: 'X-Api-Key', oauth: { client_id: 'c' } });
      expect(JSON.stringify(merged)).not.toContain('-secret');
    },
  );

  it('gives the client secret of one authorization server to no other', () => {
    const oauth = { grant: 'authorization_code', client_id: 'me', client_secret: 'client-secret' } as const;
    const pinned: ServerConfig = { ...http, oauth: { ...oauth, issuer: 'https://login.example' } };
    const change = (issuer: string | null, client_secret?: string) => ({
      mcp_server_type: 'streamable_http' as const,
      oauth: { ...oauth, issuer, client_secret },
    });
    const masked = '••••cret';
    expect(mergeConfig(pinned, change('https://login.example', masked))).toEqual(pinned);
    for (const issuer of ['https://evil.example', null]) {
      expect(() => mergeConfig(pinned, change(issuer, masked))).toThrow('"oauth.client_secret" is a masked value');
      expect(JSON.stringify(mergeConfig(pinned, change(issuer)))).not.toContain('client-secret');
    }
    expect(() => mergeConfig({ ...http, oauth }, change('https://evil.example', masked))).toThrow('masked value');
    expect(mergeConfig(pinned, change('https://new.example', 'new'))).toMatchObject({
      oauth: { client_secret: 'new' },
    });
  });

  it('sends no stored secret through a proxy that it was not stored for', () => {
    const through = (proxy: string | null) => ({ mcp_server_type: 'streamable_http' as const, proxy });
    const kept: ServerConfig = { ...http, proxy: 'http://proxy.example:3128', variables: { V: 'variable-secret' } };
    expect(mergeConfig(kept, through('http://proxy.example:3128'))).toEqual(kept);
    expect(mergeConfig(kept, through('none'))).toMatchObject({ auth_token: 'token-secret', proxy: 'none' });
    const moved = mergeConfig(kept, through('http://evil.example:3128'));
    expect(moved).toMatchObject({ server_url: 'https://one.example/mcp', proxy: 'http://evil.example:3128' });
    expect(JSON.stringify(moved)).not.toMatch(/secret/u);
    const inUrl: ServerConfig = { ...http, server_url: 'http://one.example/mcp?api_key=url-secret' };
    expect(() => mergeConfig(inUrl, through('http://evil.example:3128'))).toThrow('"server_url" is a masked value');
  });

  it('takes new secrets for a new origin, and no masks', () => {
    const moved = { mcp_server_type: 'streamable_http', server_url: 'https://two.example/mcp' } as const;
    expect(mergeConfig(http, { ...moved, auth_token: 'new' })).toMatchObject({ auth_token: 'new' });
    const refused = expect.objectContaining({ code: 'VALIDATION_FAILED' }) as Error;
    expect(() => mergeConfig(http, { ...moved, auth_token: '••••cret' })).toThrow(refused);
    const inUrl = { ...http, server_url: 'https://one.example/mcp?token=hunter2-hunter2' };
    const masked = { ...moved, server_url: 'https://two.example/mcp?token=••••ter2' };
    expect(() => mergeConfig(inUrl, masked)).toThrow(refused);
  });

  it('keeps secrets when only the path of the URL changes', () => {
    const moved = { mcp_server_type: 'streamable_http', server_url: 'https://one.example/v2/mcp' } as const;
    expect(mergeConfig(http, moved)).toEqual({ ...http, server_url: moved.server_url });
  });

  it.each<[ServerConfig, ServerConfigUpdate]>([
    [stdio, { mcp_server_type: 'sse' }],
    [http, { mcp_server_type: 'stdio' }],
    [http, { mcp_server_type: 'sse', server_url: 'https://one.example/sse' }],
  ])('refuses another type', (current, update) => {
    expect(() => mergeConfig(current, update)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it.each<[ServerConfig, ServerConfigUpdate]>([
    [stdio, { mcp_server_type: 'stdio', env: { UNKNOWN: '••••' } }],
    [
      { ...http, auth_token: null },
      { mcp_server_type: 'streamable_http', auth_token: '••••1234' },
    ],
    [http, { mcp_server_type: 'streamable_http', custom_headers: { 'X-Unknown': '••••' } }],
  ])('refuses a mask of nothing', (current, update) => {
    expect(() => mergeConfig(current, update)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  });
});

describe('replacesAllSecrets', () => {
  it.each<[ServerConfigUpdate, boolean]>([
    [{ mcp_server_type: 'stdio' }, false],
    [{ mcp_server_type: 'stdio', env: null }, true],
    [{ mcp_server_type: 'sse', auth_token: 'x' }, false],
    [{ mcp_server_type: 'sse', auth_token: 'x', custom_headers: {} }, true],
  ])('%j → %s', (update, expected) => {
    expect(replacesAllSecrets(update)).toBe(expected);
  });

  it('keeps secrets in a URL and in arguments that come back masked', () => {
    const http = { mcp_server_type: 'sse', server_url: 'https://h.example/sse?token=hunter2-hunter2' } as const;
    const shown = { mcp_server_type: 'sse', server_url: 'https://h.example/sse?token=••••ter2' } as const;
    expect(mergeConfig(http, shown)).toEqual(http);
    const stdio = { mcp_server_type: 'stdio' as const, command: 'x', args: ['--token', 'hunter2'] };
    expect(mergeConfig(stdio, { mcp_server_type: 'stdio', args: ['-v', '--token', '••••'] })).toMatchObject({
      args: ['-v', '--token', 'hunter2'],
    });
    const refused = expect.objectContaining({ code: 'VALIDATION_FAILED' }) as Error;
    const wrongUrl = { mcp_server_type: 'sse', server_url: 'https://h.example/sse?key=••••' } as const;
    expect(() => mergeConfig(http, wrongUrl)).toThrow(refused);
    expect(() => mergeConfig(stdio, { mcp_server_type: 'stdio', args: ['--key', '••••abcd'] })).toThrow(refused);
  });

  it('needs anew what is lost', () => {
    const change = { mcp_server_type: 'stdio', env: null } as const;
    expect(replacesAllSecrets(change, undefined, ['env.A'])).toBe(true);
    for (const lost of ['variables.A', 'args.1']) expect(replacesAllSecrets(change, undefined, [lost])).toBe(false);
    expect(replacesAllSecrets({ ...change, variables: {}, args: [] }, undefined, ['variables.A', 'args.1'])).toBe(true);
  });
});
