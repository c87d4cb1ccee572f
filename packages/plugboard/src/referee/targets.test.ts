import { checkTarget } from '@plugboard/check';
import { createUrlGuard } from '@plugboard/client';
import { LOCAL_PRINCIPAL, PlugboardError, Secret, type Server } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../settings/settings.js';
import { confineTarget } from './confined-target.js';
import { prepareTarget, type PreparedTarget, type RegisteredTargetParts } from './registered-target.js';
import { runNetwork } from './run-network.js';

const AT = '2026-01-02T03:04:05.000Z';
const serverOf = (server_name: string, config: Server['config']): Server => ({
  id: 'mcp_server-00000000-0000-4000-8000-000000000001',
  server_name,
  config,
  enabled: true,
  protocol: null,
  last_sync: null,
  created_at: AT,
  updated_at: AT,
});

const settings = {
  environment: { PATH: '/bin', KEY: 'from the hub' },
  templateEnvironment: DEFAULTS.templateEnvironment,
};
const signal = new AbortController().signal;

const prepared = (server: Server, given: object, credentials?: Record<string, string>): Promise<PreparedTarget> => {
  const parts: RegisteredTargetParts = {
    registry: {
      findServerByName: async (name) => (name === server.server_name ? server : undefined),
      getServer: async () => {
        throw new PlugboardError('SERVER_NOT_FOUND', 'No server with that name is registered.');
      },
    },
    logins: {
      credentialsFor: () => (credentials === undefined ? undefined : { headers: async () => credentials }) as never,
    },
    settings,
  };
  return prepareTarget(parts, checkTarget.parse(given), { principal: LOCAL_PRINCIPAL, signal });
};

describe('a target that names a registered server', () => {
  it('gets its address and what opens it', async () => {
    const server = serverOf('notes', {
      mcp_server_type: 'sse',
      server_url: 'https://notes.example/sse',
      auth_token: Secret.of('a-token'),
      custom_headers: { 'X-Team': Secret.of('blue') },
    });
    const { target, server_id, secrets } = await prepared(server, { name: 'notes', headers: { 'X-Own': '1' } });
    expect(target).toMatchObject({
      name: 'notes',
      url: 'https://notes.example/sse',
      transport: 'sse',
      headers: { 'X-Own': '1', 'X-Team': 'blue', Authorization: 'Bearer a-token' },
    });
    expect(server_id).toBe(server.id);
    expect(secrets).toEqual([]);
  });

  it('uses a login before a token, and leaves a scheme as it is', async () => {
    const config = { mcp_server_type: 'streamable_http' as const, server_url: 'https://a.example/mcp' };
    const basic = serverOf('a', { ...config, auth_token: Secret.of('Basic abc') });
    expect((await prepared(basic, { name: 'a' })).target.headers).toEqual({ Authorization: 'Basic abc' });
    const own = serverOf('a', { ...config, auth_token: Secret.of('abc'), auth_header: 'X-Key' });
    expect((await prepared(own, { name: 'a' })).target.headers).toEqual({ 'X-Key': 'abc' });
    const login = await prepared(basic, { name: 'a' }, { Authorization: 'Bearer of-the-login' });
    expect(login.target.headers).toEqual({ Authorization: 'Bearer of-the-login' });
  });

  it('gets the program with its environment', async () => {
    const server = serverOf('files', {
      mcp_server_type: 'stdio',
      command: 'node',
      args: ['a.js'],
      cwd: '/work',
      env: { TOKEN: Secret.of('x') },
      sandbox: { network: true },
    });
    const { target, sandboxes } = await prepared(server, {
      url: 'https://a.example/',
      differential: { name: 'files' },
    });
    expect(target.differential).toMatchObject({ command: ['node', 'a.js'], cwd: '/work', env: { TOKEN: 'x' } });
    expect(sandboxes).toEqual({ main: undefined, other: { network: true } });
  });

  it('is refused when nobody is called that', async () => {
    const server = serverOf('files', { mcp_server_type: 'stdio', command: 'node', args: [] });
    await expect(prepared(server, { name: 'fils' })).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
  });
});

describe('the programs of a target', () => {
  const confinement = {
    confine: async ({ command, args = [] }: { command: string; args?: readonly string[] }) => ({
      command: 'bwrap',
      args: ['--', command, ...args],
      cwd: '/inside',
    }),
  } as never;
  const confined = (target: object, sandbox: 'optional' | 'required', sandboxes: PreparedTarget['sandboxes']) =>
    confineTarget(
      { target: checkTarget.parse(target), secrets: [], ...(sandboxes === undefined ? {} : { sandboxes }) },
      { settings: { ...settings, processes: { ...DEFAULTS.processes, sandbox } }, confinement },
    );

  it('run as they are where nobody wants a sandbox', async () => {
    const { target, baseEnv } = await confined({ command: ['node', 'a.js'] }, 'optional', undefined);
    expect(target.command).toEqual(['node', 'a.js']);
    expect(baseEnv).toBeUndefined();
  });

  it('run in theirs, and in one where all must', async () => {
    const own = await confined({ command: ['node', 'a.js'] }, 'optional', { main: { env: ['KEY'] }, other: undefined });
    expect(own.target).toMatchObject({ command: ['bwrap', '--', 'node', 'a.js'], cwd: '/inside' });
    const all = await confined(
      { url: 'https://a.example/', differential: { command: ['node'] } },
      'required',
      undefined,
    );
    expect(all.target.differential?.command).toEqual(['bwrap', '--', 'node']);
    expect(all.target.url).toBe('https://a.example/');
  });

  it('may not fetch a token where all must run in a sandbox', async () => {
    const target = { url: 'https://a.example/', auth: { type: 'command', command: ['sh'] } };
    await expect(confined(target, 'required', undefined)).rejects.toMatchObject({ code: 'STDIO_DISABLED' });
  });
});

describe('what the checks of a run may reach', () => {
  const urls = createUrlGuard({ mode: 'deny-private', loopback: 'allow' });
  const own = { isOwnAddress: (_address: string, port: number) => port === 2091, isOwnUrl: () => false };
  const network = runNetwork({ urls, own }, { url: 'http://127.0.0.1:2091/mcp' });

  it('is their target, wherever it is', () => {
    expect(() => network.admit('http://127.0.0.1:2091/other')).not.toThrow();
    expect(() => network.admit('https://login.example/metadata')).not.toThrow();
  });

  it('is not this hub under another name, nor a private address', () => {
    expect(() => network.admit('http://127.0.0.2:2091/')).toThrow(expect.objectContaining({ code: 'URL_REFUSED' }));
    expect(() => network.admit('http://169.254.169.254/')).toThrow(expect.objectContaining({ code: 'URL_REFUSED' }));
  });
});
