import { sseConfig, stdioConfig } from '@plugboard/contract';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FlagSettings, resolveSettings } from './resolve-settings.js';
import { DEFAULT_BOUNDS } from './bounds-settings.js';
import { DEFAULTS, type Settings } from './settings.js';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-'));
});
afterEach(() => rm(home, { recursive: true }));

const resolved = (
  environment: Readonly<Record<string, string | undefined>> = {},
  flags: FlagSettings = {},
): Promise<Settings> =>
  resolveSettings({
    environment: { PLUGBOARD_HOME: home, ...environment },
    cwd: '/project',
    userHome: '/home/me',
    flags,
  });

const config = (content: unknown, name = 'plugboard.json'): Promise<void> =>
  writeFile(join(home, name), typeof content === 'string' ? content : JSON.stringify(content));

describe('settings', () => {
  it('have defaults', async () => {
    expect(await resolved()).toEqual({
      home,
      configFile: undefined,
      host: '127.0.0.1',
      port: 2091,
      insecure: false,
      demo: false,
      prune: false,
      databaseUrl: undefined,
      masterKey: { from: 'file', path: join(home, 'master.key'), create: true },
      logFormat: 'auto',
      logLevel: 'info',
      stdio: { mode: 'on' },
      urls: { mode: 'deny-private', loopback: 'allow' },
      access: { required: false, maxFailures: 20, trustProxy: [], adminKey: undefined, oauth: undefined },
      templateEnvironment: 'all',
      deadlines: { connectMs: 30_000, listMs: 30_000, callMs: 60_000 },
      network: {},
      patience: { sessionMs: 1_800_000, connectionMs: 300_000, revalidateMs: 900_000, readerMs: 60_000 },
      processes: { max: undefined, waitMs: 300_000, sandbox: 'optional' },
      maxRetries: 1,
      bounds: DEFAULT_BOUNDS,
      guard: { quarantine: 'both', maxArgumentBytes: 4 * 1024 ** 2, maxResultBytes: 16 * 1024 ** 2, limits: {} },
      observe: DEFAULTS.observe,
      monitor: DEFAULTS.monitor,
      fleet: DEFAULTS.fleet,
      declaredServers: [],
      declaredServices: [],
      plugins: [],
      aliases: { docling: 'documents', postman: 'collections' },
      environment: { PLUGBOARD_HOME: home },
    });
  });

  it('live in the home of the user unless told otherwise', async () => {
    expect((await resolved({ PLUGBOARD_HOME: '' })).home).toBe('/home/me/.plugboard');
    expect((await resolved({ PLUGBOARD_HOME: '~/state' })).home).toBe('/home/me/state');
    expect((await resolved({}, { home: 'here' })).home).toBe('/project/here');
  });

  it('take the file over defaults, the environment over the file, flags over the environment', async () => {
    await config({
      port: 1,
      host: 'localhost',
      logLevel: 'warn',
      deadlines: { call: 5 },
      patience: { session: 0.5, reader: 2 },
      processes: { max: 40, wait: 1.5, sandbox: 'required' },
      insecure: true,
    });
    const settings = await resolved({ PLUGBOARD_PORT: '2', PLUGBOARD_HOST: '127.0.0.2' }, { port: 3 });
    expect(settings).toMatchObject({
      port: 3,
      host: '127.0.0.2',
      logLevel: 'warn',
      insecure: true,
      configFile: join(home, 'plugboard.json'),
    });
    expect(settings.deadlines).toEqual({ connectMs: 30_000, listMs: 30_000, callMs: 5000 });
    expect(settings.patience).toEqual({ sessionMs: 500, connectionMs: 300_000, revalidateMs: 900_000, readerMs: 2000 });
    expect(settings.processes).toEqual({ max: 40, waitMs: 1500, sandbox: 'required' });
    expect((await resolved({ PLUGBOARD_PORT: '2' })).port).toBe(2);
    expect((await resolved()).port).toBe(1);
  });

  it('know the names that other clients use, in seconds', async () => {
    expect(await resolved({ EXTERNAL_MCP_TIMEOUT: '300', EXTERNAL_MCP_MAX_RETRIES: '7' })).toMatchObject({
      deadlines: { callMs: 300_000 },
      maxRetries: 7,
    });
    expect((await resolved({ EXTERNAL_MCP_TIMEOUT: '300', PLUGBOARD_CALL_DEADLINE: '1.5' })).deadlines.callMs).toBe(
      1500,
    );
    expect((await resolved({ PLUGBOARD_CONNECT_DEADLINE: '2', PLUGBOARD_LIST_DEADLINE: '3' })).deadlines).toMatchObject(
      { connectMs: 2000, listMs: 3000 },
    );
  });

  it('start programs only for callers on this machine, unless told otherwise', async () => {
    expect((await resolved({}, { host: '0.0.0.0' })).stdio).toEqual({ mode: 'off' });
    expect((await resolved({ PLUGBOARD_STDIO: 'on' }, { host: '0.0.0.0' })).stdio).toEqual({ mode: 'on' });
    expect((await resolved({ PLUGBOARD_STDIO: 'npx, uvx' })).stdio).toEqual({
      mode: 'allow-list',
      commands: ['npx', 'uvx'],
    });
    await config({ stdio: { allow: ['node'] }, urls: { allow: ['api.example'] } });
    expect(await resolved()).toMatchObject({
      stdio: { mode: 'allow-list', commands: ['node'] },
      urls: { mode: 'allow-list', hosts: ['api.example'] },
    });
    await config({ stdio: 'off', urls: 'allow-all' });
    expect(await resolved()).toMatchObject({ stdio: { mode: 'off' }, urls: { mode: 'allow-all' } });
  });

  it('deny private addresses, loopback too when others can reach the hub', async () => {
    expect((await resolved({}, { host: '0.0.0.0' })).urls).toEqual({ mode: 'deny-private', loopback: 'deny' });
    expect((await resolved({ PLUGBOARD_URLS: 'a.example, 10.0.0.0/8' })).urls).toEqual({
      mode: 'allow-list',
      hosts: ['a.example', '10.0.0.0/8'],
    });
  });

  it('find the master key in the environment, in a named file, or in the home', async () => {
    const { masterKey } = await resolved({ PLUGBOARD_MASTER_KEY: 'k' });
    expect(masterKey.from === 'environment' ? masterKey.value.reveal() : masterKey.path).toBe('k');
    expect(JSON.stringify(masterKey)).toBe('{"from":"environment","value":"[secret]"}');
    expect((await resolved({ PLUGBOARD_MASTER_KEY_FILE: 'key' })).masterKey).toEqual({
      from: 'file',
      path: '/project/key',
      create: false,
    });
    await config({ masterKeyFile: 'keys/master' });
    expect((await resolved()).masterKey).toEqual({ from: 'file', path: join(home, 'keys/master'), create: false });
  });

  it('declare the servers of the file, with comments and trailing commas', async () => {
    await config(`{
      // a comment
      "mcpServers": {
        "files": { "command": "npx", "args": ["x"], "cwd": "data", "env": { "K": "\${KEY}" } },
        "web": { "url": "https://web.example/mcp", "headers": { "A": "b" }, "disabled": true },
        "old": { "type": "sse", "serverUrl": "https://old.example" },
        "late": { "command": "x", "cwd": "\${DIR}" },
      },
    }`);
    expect((await resolved()).declaredServers).toEqual([
      {
        enabled: true,
        create: {
          server_name: 'files',
          config: {
            mcp_server_type: 'stdio',
            command: 'npx',
            args: ['x'],
            cwd: join(home, 'data'),
            env: { K: '${KEY}' },
          },
        },
      },
      {
        enabled: false,
        create: {
          server_name: 'web',
          config: {
            mcp_server_type: 'streamable_http',
            server_url: 'https://web.example/mcp',
            custom_headers: { A: 'b' },
          },
        },
      },
      {
        enabled: true,
        create: { server_name: 'old', config: { mcp_server_type: 'sse', server_url: 'https://old.example' } },
      },
      {
        enabled: true,
        create: { server_name: 'late', config: { mcp_server_type: 'stdio', command: 'x', args: [], cwd: '${DIR}' } },
      },
    ]);
  });

  it('take every setting of a server from the file', async () => {
    const shared = {
      deadlines: { connect: 5, list: 6, call: 7, tools: { slow: 80 } },
      sharing: 'shared',
      variables: { A: 'b' },
    };
    const program = {
      command: 'x',
      args: [],
      env: { K: 'v' },
      cwd: '/srv',
      listen: { port: 8080, path: '/mcp', health: '/' },
      limits: { memory_mb: 64 },
      restart: 'never',
      sandbox: { writable: ['/srv/data'], network: true },
      ...shared,
    };
    const remote = {
      auth_header: 'X-Key',
      auth_token: 'token',
      oauth: { client_id: 'a' },
      profile: 'post-sse',
      ca: '-----BEGIN CERTIFICATE-----',
      proxy: 'http://proxy.example:3128',
      ...shared,
    };
    const web = { type: 'sse', url: 'https://web.example/sse', headers: { A: 'b' }, ...remote };
    await config({ mcpServers: { program, web } });
    const [first, second] = (await resolved()).declaredServers;
    expect(first?.create.config).toEqual({ mcp_server_type: 'stdio', ...program });
    const expected = { mcp_server_type: 'sse', server_url: web.url, custom_headers: web.headers, ...remote };
    expect(second?.create.config).toMatchObject(expected);
    // A setting that is added to servers later must come to the file, too.
    expect(Object.keys(stdioConfig.shape).filter((name) => !(name in program))).toEqual(['mcp_server_type']);
    expect(Object.keys(sseConfig.shape).filter((name) => !(name in expected))).toEqual([]);
  });

  it('read a named file, whose home is relative to it', async () => {
    await config({ home: 'state', databaseUrl: 'postgres://db/x' }, 'other.json');
    const environment = { PLUGBOARD_HOME: undefined };
    const settings = await resolved(environment, { config: join(home, 'other.json') });
    expect(settings).toMatchObject({ home: join(home, 'state'), databaseUrl: 'postgres://db/x' });
    expect((await resolved({ ...environment, PLUGBOARD_CONFIG: join(home, 'other.json') }, { home: '/x' })).home).toBe(
      '/x',
    );
  });

  it.each([
    ['an unknown member', { prot: 1 }, 'prot'],
    ['a wrong type', { port: 'x' }, 'port: '],
    ['a name that is no name', { mcpServers: { 'a/b': { command: 'x' } } }, 'mcpServers'],
    ['a service at no URL', { services: { a: { url: 'vision' } } }, 'services'],
    [
      'an unknown member of a server',
      { mcpServers: { a: { command: 'x', colour: 'red' } } },
      'mcpServers.a: Unrecognized key: "colour"',
    ],
    [
      'a setting of a server that is none',
      { mcpServers: { a: { url: 'https://x', sharing: 'all' } } },
      'mcpServers.a.sharing: ',
    ],
    [
      'a file with authorities that is not there',
      { mcpServers: { a: { url: 'https://x', caFile: 'none.pem' } } },
      'mcpServers.a.caFile',
    ],
    ['a URL that is none', { mcpServers: { a: { url: 'ftp://x' } } }, 'The server "a"'],
    ['no JSON', '{\n\n"port": }', 'line 3: this is not JSON'],
    ['half of a file', '{"port": 1', 'the JSON ends too early'],
  ])('refuse a file with %s', async (_what, content, message) => {
    await config(content);
    await expect(resolved()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(message) as string,
    });
  });

  it.each([
    ['PLUGBOARD_PORT', '70000'],
    ['PLUGBOARD_PORT', '1.5'],
    ['PLUGBOARD_INSECURE', 'perhaps'],
    ['PLUGBOARD_LOG_LEVEL', 'loud'],
    ['EXTERNAL_MCP_TIMEOUT', 'soon'],
    ['PLUGBOARD_MAX_RETRIES', '-1'],
  ])('refuse %s=%s, naming it', async (name, value) => {
    await expect(resolved({ [name]: value })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`${name} is "${value}"`) as string,
    });
  });

  it('read switches in the forms that people write', async () => {
    expect((await resolved({ PLUGBOARD_INSECURE: 'yes' })).insecure).toBe(true);
    expect((await resolved({ PLUGBOARD_INSECURE: '0' })).insecure).toBe(false);
    expect((await resolved({ PLUGBOARD_LOG_LEVEL: 'DEBUG' })).logLevel).toBe('debug');
  });

  it('refuse a file that was named and is missing, and one that is a directory', async () => {
    await expect(resolved({}, { config: '/nowhere.json' })).rejects.toMatchObject({
      message: 'There is no configuration file at /nowhere.json.',
    });
    await expect(resolved({}, { config: home })).rejects.toMatchObject({
      message: expect.stringContaining('is not a regular file') as string,
    });
  });
});
