import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { keepConfig, revealConfig, sameConfig } from './kept-config.js';
import { Secret } from '../secret/secret.js';
import type { ServerConfig } from './server-config.js';

const http: ServerConfig = {
  mcp_server_type: 'streamable_http',
  server_url: 'https://example.com/mcp',
  auth_header: 'X-Key',
  auth_token: 'hidden-token',
  custom_headers: { 'X-A': 'hidden-header' },
  oauth: { grant: 'client_credentials', client_id: 'shown', client_secret: 'hidden-client', private_key: 'hidden-key' },
  variables: { NAME: 'hidden-variable' },
};
const stdio: ServerConfig = {
  mcp_server_type: 'stdio',
  command: 'node',
  args: ['a'],
  env: { KEY: 'hidden-env' },
  variables: null,
};

describe('a kept config', () => {
  it.each([http, stdio])('shows no secret, and gives all of them back: $mcp_server_type', (config) => {
    const kept = keepConfig(config);
    expect(inspect(kept, { depth: Infinity }) + JSON.stringify(kept)).not.toContain('hidden');
    expect(JSON.stringify(config)).toContain('hidden');
    expect(revealConfig(kept)).toEqual(config);
    expect(revealConfig(keepConfig(kept))).toEqual(config);
  });

  it('is the same as another when its secrets are, in whichever order its members stand', () => {
    const { auth_token, ...rest } = http;
    expect(sameConfig(keepConfig(http), { ...rest, auth_token })).toBe(true);
    expect(sameConfig(keepConfig(http), { ...http, auth_token: Secret.of('another') })).toBe(false);
    expect(sameConfig(stdio, { ...stdio, args: ['b'] })).toBe(false);
    expect(sameConfig(stdio, stdio)).toBe(true);
  });
});
