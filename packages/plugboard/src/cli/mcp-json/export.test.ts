import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseClientFile } from '../../mcp-json/client-file.js';
import { planImport } from '../../mcp-json/plan-import.js';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const files = aServer({
  server_name: 'files',
  config: {
    mcp_server_type: 'stdio',
    command: 'npx',
    args: ['x'],
    env: { 'api.key': 'a-very-long-secret' },
    cwd: '/data',
  },
});
const weather = aServer(
  {
    server_name: 'my weather',
    config: {
      mcp_server_type: 'sse',
      server_url: 'https://w.example/sse',
      auth_token: 'a-very-long-secret',
      custom_headers: { 'X-Key': 'a-very-long-secret' },
    },
  },
  {},
  2,
);
const keyed = aServer(
  {
    server_name: '3d',
    config: {
      mcp_server_type: 'streamable_http',
      server_url: 'https://k.example',
      auth_token: 't',
      auth_header: 'X-T',
    },
  },
  {},
  3,
);
const servers = [files, weather, keyed];

describe('export', () => {
  it('writes the shared format with variables in the place of secrets', async () => {
    const { code, stdout, stderr } = await runFake(['export'], { servers });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: {
        files: { command: 'npx', args: ['x'], env: { 'api.key': '${API_KEY}' }, cwd: '/data' },
        'my weather': {
          type: 'sse',
          url: 'https://w.example/sse',
          headers: { 'X-Key': '${MY_WEATHER_X_KEY}', Authorization: 'Bearer ${MY_WEATHER_TOKEN}' },
        },
        '3d': { type: 'http', url: 'https://k.example', headers: { 'X-T': '${_3D_TOKEN}' } },
      },
    });
    expect(stderr).toContain('4 secrets stayed in the hub; set API_KEY, MY_WEATHER_X_KEY, MY_WEATHER_TOKEN, _3D_TOKEN');
  });

  it('writes what import reads', async () => {
    const { stdout } = await runFake(['export'], { servers });
    const file = parseClientFile(stdout);
    expect(file.ok).toBe(true);
    const plan = planImport(file.ok ? file.entries : [], {
      registered: [],
      variables: { userHome: '/', inputs: new Map() },
      questions: [],
      ownUrls: [],
    });
    expect(plan.map(({ kind }) => kind)).toEqual(['add', 'add', 'add']);
  });

  it('says that secrets cannot be exported', async () => {
    const { code, stderr } = await runFake(['export', '--with-secrets'], { servers });
    expect(code).toBe(5);
    expect(stderr).toContain('Secrets cannot be exported');
  });

  it.each([
    ['cursor', { mcpServers: { plugboard: { url: 'http://hub.example/mcp' } } }],
    ['vscode', { servers: { plugboard: { type: 'http', url: 'http://hub.example/mcp' } } }],
    ['windsurf', { mcpServers: { plugboard: { serverUrl: 'http://hub.example/mcp' } } }],
    ['claude-code', { mcpServers: { plugboard: { type: 'http', url: 'http://hub.example/mcp' } } }],
    [
      'claude-desktop',
      { mcpServers: { plugboard: { command: 'npx', args: ['-y', 'mcp-remote', 'http://hub.example/mcp'] } } },
    ],
  ])('writes what %s needs to use the hub', async (client, expected) => {
    const { stdout, stderr } = await runFake(['export', '--for-client', client], {
      servers,
      place: { kind: 'running', url: 'http://hub.example' },
    });
    expect(JSON.parse(stdout)).toEqual(expected);
    expect(stderr).toContain('Put this into');
  });

  it('writes one entry for each server, and says that the hub must run', async () => {
    const { stdout, stderr } = await runFake(['export', '--for-client', 'cursor', '--each'], { servers });
    expect(JSON.parse(stdout)).toHaveProperty(
      ['mcpServers', 'my weather', 'url'],
      'http://127.0.0.1:2091/servers/my%20weather/mcp',
    );
    expect(stderr).toContain('plugboard serve');
    expect((await runFake(['export', '--each'], { servers })).code).toBe(2);
  });

  it('writes named servers to a file that only the owner can read', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'plugboard-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    const { stdout } = await runFake(['export', 'files', '-o', 'out.json'], { servers }, { cwd });
    expect(stdout).toBe('');
    expect(
      Object.keys((JSON.parse(await readFile(join(cwd, 'out.json'), 'utf8')) as { mcpServers: object }).mcpServers),
    ).toEqual(['files']);
    expect((await stat(join(cwd, 'out.json'))).mode & 0o077).toBe(0);
  });
});
