import { type ConnectConfig, revealConfig, Secret, type ServerConfig } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { missingVariables, resolveConfig } from './resolve-config.js';
import type { VariableLookup } from './resolve-template.js';

const variables: Record<string, string> = { KEY: 'secret', HOST: 'example.com', DIR: '/data' };
const lookup = (name: string): string | undefined => variables[name];

const filled = (config: ConnectConfig, from: VariableLookup): ServerConfig =>
  revealConfig(resolveConfig(config, from).config);

describe('resolveConfig', () => {
  it('fills every text of a stdio config, and its names of variables not', () => {
    const config: ServerConfig = {
      mcp_server_type: 'stdio',
      command: '${DIR}/run',
      args: ['--key', '{{ KEY }}'],
      env: { '${KEY}': '${KEY}' },
      cwd: '${DIR}',
    };
    expect(filled(config, lookup)).toEqual({
      mcp_server_type: 'stdio',
      command: '/data/run',
      args: ['--key', 'secret'],
      env: { '${KEY}': 'secret' },
      cwd: '/data',
    });
  });

  it('fills URL, token and headers', () => {
    const config: ServerConfig = {
      mcp_server_type: 'sse',
      server_url: 'https://${HOST}/sse',
      auth_header: 'X-Key',
      auth_token: '{{ KEY }}',
      custom_headers: { 'X-A': '{{ NONE | none }}' },
    };
    expect(filled(config, lookup)).toEqual({
      ...config,
      server_url: 'https://example.com/sse',
      auth_token: 'secret',
      custom_headers: { 'X-A': 'none' },
    });
  });

  it('refuses to give out anything with a placeholder in it, and names them all', () => {
    const config: ServerConfig = {
      mcp_server_type: 'streamable_http',
      server_url: 'https://${ZONE}.example.com/mcp',
      auth_token: '{{ MISSING }}',
      custom_headers: null,
    };
    expect(() => resolveConfig(config, lookup)).toThrow(
      expect.objectContaining({
        code: 'UNRESOLVED_VARIABLES',
        message: 'The variables MISSING, ZONE have no value.',
        details: { variables: ['MISSING', 'ZONE'] },
      }),
    );
  });

  it('judges the config again once values are in, without showing them', () => {
    const config: ServerConfig = {
      mcp_server_type: 'streamable_http',
      server_url: '${URL}',
      custom_headers: { 'X-A': '${INJECTED}' },
    };
    const hostile = (name: string): string => (name === 'URL' ? 'https://example.com/mcp' : 'a\r\nX-Evil: hunter2');
    expect(() => resolveConfig(config, hostile)).toThrow(/custom_headers\.X-A must not contain line breaks/u);
    expect(() => resolveConfig(config, hostile)).not.toThrow(/hunter2/u);
    expect(() => resolveConfig(config, () => 'file:///etc/passwd')).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });

  it('takes values that are wrapped, gives out wrapped ones, and tells which it used', () => {
    const config: ConnectConfig = {
      mcp_server_type: 'stdio',
      command: 'run',
      args: ['{{ KEY }}'],
      env: { TOKEN: Secret.of('${OTHER}') },
      variables: { KEY: Secret.of('from the server'), UNUSED: Secret.of('unused') },
    };
    const { config: resolved, secrets } = resolveConfig(config, (name) => Secret.of(`value of ${name}`));
    expect(JSON.stringify(resolved.mcp_server_type === 'stdio' ? resolved.env : {})).not.toContain('value of');
    expect(revealConfig(resolved)).toEqual({
      mcp_server_type: 'stdio',
      command: 'run',
      args: ['value of KEY'],
      env: { TOKEN: 'value of OTHER' },
    });
    expect(secrets.map((secret) => secret.reveal())).toEqual(['value of KEY', 'value of OTHER']);
  });

  it('says what is missing without failing', () => {
    const config: ServerConfig = {
      mcp_server_type: 'streamable_http',
      server_url: 'https://${ZONE}.example.com/mcp?k={{ KEY }}',
      auth_token: '{{ MISSING }}',
      custom_headers: { 'X-A': '{{ OTHER | default }}' },
    };
    expect(missingVariables(config, lookup)).toEqual(['MISSING', 'ZONE']);
  });
});
