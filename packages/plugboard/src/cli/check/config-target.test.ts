import { maskSecret, type ServerConfig } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { configTarget, NOTHING_GIVEN } from './config-target.js';

const MASKED = maskSecret('a-secret-of-some-length');
const program: ServerConfig = {
  mcp_server_type: 'stdio',
  command: 'x',
  args: ['y'],
  env: { KEY: MASKED, MODE: 'fast' },
};
const address: ServerConfig = {
  mcp_server_type: 'streamable_http',
  server_url: 'https://mcp.example/',
  auth_token: MASKED,
  custom_headers: { 'X-Tenant': MASKED, 'X-Plain': 'a' },
};
const options = { given: NOTHING_GIVEN, throughHub: 'http://127.0.0.1:2091/servers/files/mcp' };

describe('a registered server with secrets', () => {
  it('is refused with the flag that gives the secret and the address at the hub', () => {
    expect(() => configTarget('files', program, options)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: 'The environment variable KEY of the server is a secret that the hub does not reveal.',
        hint: 'Give it with --env KEY=…, or name the server by its address at the hub: http://127.0.0.1:2091/servers/files/mcp',
      }),
    );
  });

  it('names no hub where none runs', () => {
    expect(() => configTarget('files', program, { ...options, throughHub: undefined })).toThrow(
      expect.objectContaining({ hint: 'Give it with --env KEY=…' }),
    );
  });

  it('is examined with an environment variable of the command line', () => {
    const given = { ...NOTHING_GIVEN, env: { KEY: 'k' } };
    expect(configTarget('files', program, { ...options, given })).toEqual({
      name: 'files',
      command: ['x', 'y'],
      env: { KEY: 'k', MODE: 'fast' },
    });
  });

  it('is examined with a token and headers of the command line, in any case', () => {
    const given = { ...NOTHING_GIVEN, token: 't', headers: { 'x-tenant': 'b' } };
    expect(configTarget('files', address, { ...options, given })).toMatchObject({
      url: 'https://mcp.example/',
      headers: { 'X-Plain': 'a', 'x-tenant': 'b', Authorization: 'Bearer t' },
    });
  });

  it('still asks for what was not given', () => {
    const given = { ...NOTHING_GIVEN, token: 't' };
    expect(() => configTarget('files', address, { ...options, given })).toThrow('The header X-Tenant');
  });
});
