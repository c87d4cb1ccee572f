import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerView, SyncReport } from '@plugboard/contract';
import { fakeServer, rawHttpClient, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall, hubCallWith } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { recordingProxy, type RecordingProxy } from '../../support/recording-proxy.js';

// Writes down what it was started with. That it is no MCP server does not matter here.
const RECORDER = `require('node:fs').writeFileSync(process.env.RECORD, JSON.stringify({
  args: process.argv.slice(1), env: process.env, cwd: process.cwd() }))`;
const PLACEHOLDER = /\{\{|\}\}|\$\{/u;
const ADMIN = 'an-admin-key-of-32-characters-or-so';

let directory: string;
let hub: RealHub;
let fake: FakeServer;
let proxy: RecordingProxy;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugboard-templates-'));
  fake = fakeServer({ tools: ['echo'] });
  proxy = await recordingProxy((await fake.listenHttp()).url);
  hub = await startRealHub({
    settings: {
      environment: { PATH: process.env['PATH'] ?? '', FROM_HUB: 'hub value', FIRST: 'hub', NOT_ALLOWED: 'never' },
      templateEnvironment: ['FROM_HUB', 'FIRST'],
    },
  });
});
afterAll(async () => {
  await hub.close();
  await proxy[Symbol.asyncDispose]();
  await fake.close();
  await rm(directory, { recursive: true, force: true });
});

const register = async (server_name: string, config: object): Promise<ServerView> => {
  const { status, json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config });
  expect(status).toBe(200);
  return json as ServerView;
};

const makeAgent = async (name: string, variables: object, server_ids: readonly string[]): Promise<string> =>
  ((await hubCall(hub.url, 'POST', '/v1/agents', { name, variables, server_ids })).json as { id: string }).id;

const sync = async (id: string, agent: string): Promise<SyncReport> =>
  (await hubCall(hub.url, 'POST', `/v1/mcp-servers/${id}/sync?agent_id=${agent}`)).json as SyncReport;

const requestsTo = (path: string) => proxy.seen.filter(({ url }) => url.startsWith(path));

describe('templates in the config of a URL', () => {
  const config = (path: string) => ({
    mcp_server_type: 'streamable_http',
    server_url: `${proxy.url}/${path}/{{ ZONE | eu }}?hub=\${FROM_HUB}&own={{ OWN }}`,
    auth_header: 'X-Api-Key',
    auth_token: 'Key {{ TOKEN }}',
    custom_headers: { 'X-First': '${FIRST}', 'X-Own': 'own ${OWN}', 'X-Fixed': 'fixed' },
    variables: { OWN: 'server', FIRST: 'server' },
  });

  it('that lack a value are named, and nothing is sent', async () => {
    const server = await register('lacking', config('lacking'));
    expect(server.missing_variables).toEqual(['TOKEN']);
    expect(server.sync).toMatchObject({
      status: 'failed',
      error: { code: 'UNRESOLVED_VARIABLES', details: { variables: ['TOKEN'] } },
    });
    for (const path of [`/v1/mcp-servers/${server.id}`, '/v1/mcp-servers', '/v1/tools/mcp/servers']) {
      expect(JSON.stringify((await hubCall(hub.url, 'GET', path)).json)).toContain('"missing_variables":["TOKEN"]');
    }
    expect(requestsTo('/lacking')).toEqual([]);
  });

  it('are filled in at every place, from the agent first, then the server, then the hub', async () => {
    const server = await register('filled', config('filled'));
    const agent = await makeAgent('filler', { TOKEN: 'agent', OWN: 'agent', ZONE: 'us' }, [server.id]);
    expect(await sync(server.id, agent)).toMatchObject({ status: 'ok', added: ['echo'] });
    const requests = requestsTo('/filled');
    expect(requests.length).toBeGreaterThan(0);
    for (const { url, headers } of requests) {
      expect(url).toBe('/filled/us?hub=hub%20value&own=agent');
      expect(headers).toMatchObject({
        'x-api-key': 'Key agent',
        'x-first': 'server',
        'x-own': 'own agent',
        'x-fixed': 'fixed',
      });
      expect([url, ...Object.values(headers)].join('\n')).not.toMatch(PLACEHOLDER);
    }
    // Without the agent the same server cannot be called, and is not asked.
    const called = await hubCall(hub.url, 'POST', '/servers/filled/tools/echo', { text: 'x' });
    expect(called.json).toMatchObject({ error: { code: 'UNRESOLVED_VARIABLES', details: { variables: ['TOKEN'] } } });
    expect(requestsTo('/filled')).toHaveLength(requests.length);
  });

  it('never name what the hub keeps to itself', async () => {
    const members = { server_url: `${proxy.url}/kept`, auth_token: '${NOT_ALLOWED}${PLUGBOARD_MASTER_KEY}' };
    const { missing_variables } = await register('kept', { mcp_server_type: 'streamable_http', ...members });
    expect(missing_variables).toEqual(['NOT_ALLOWED', 'PLUGBOARD_MASTER_KEY']);
    expect(requestsTo('/kept')).toEqual([]);
  });
});

describe('templates in the config of a program', () => {
  const config = (record: string) => ({
    mcp_server_type: 'stdio',
    command: '{{ NODE }}',
    args: ['-e', RECORDER, '--', '--own={{ OWN }}', '${TOKEN}', '{{ ABSENT | a default }}'],
    env: { RECORD: join(directory, record), TOKEN_OF: 'x-{{ TOKEN }}-${FROM_HUB}' },
    cwd: '${PLACE}',
    variables: { OWN: 'server', NODE: process.execPath, PLACE: directory },
  });

  it('that lack a value start nothing', async () => {
    const { missing_variables, sync: report } = await register('idle', config('idle.json'));
    expect([missing_variables, report?.error?.code]).toEqual([['TOKEN'], 'UNRESOLVED_VARIABLES']);
    await expect(readFile(join(directory, 'idle.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('are filled in at every place', async () => {
    const server = await register('started', config('started.json'));
    const agent = await makeAgent('starter', { TOKEN: 'agent $HOME `x`' }, [server.id]);
    expect((await sync(server.id, agent)).status).toBe('failed');
    const record = JSON.parse(await readFile(join(directory, 'started.json'), 'utf8')) as {
      args: string[];
      env: Record<string, string>;
      cwd: string;
    };
    expect(record.args).toEqual(['--own=server', 'agent $HOME `x`', 'a default']);
    expect(record.env['TOKEN_OF']).toBe('x-agent $HOME `x`-hub value');
    expect(Object.keys(record.env)).not.toContain('FIRST');
    expect(record.cwd).toContain('plugboard-templates-');
  });
});

describe('agents with variables of their own', () => {
  it('call a server each with theirs, and the server is told who calls', async () => {
    await using closed = await recordingProxy((await fake.listenHttp()).url);
    const locked = await startRealHub({
      settings: { access: { required: true, maxFailures: 20, trustProxy: [], adminKey: ADMIN, oauth: undefined } },
    });
    try {
      const admin = hubCallWith(locked.url, ADMIN);
      const config = { mcp_server_type: 'streamable_http', server_url: `${closed.url}/x`, auth_token: '{{ TOKEN }}' };
      const server = (await admin('POST', '/v1/mcp-servers', { server_name: 'shared', config })).json as ServerView;
      const keys = new Map<string, string>();
      for (const name of ['one', 'two']) {
        const body = { name, variables: { TOKEN: `secret-of-${name}` }, server_ids: [server.id] };
        const { id } = (await admin('POST', '/v1/agents', body)).json as { id: string };
        await admin('POST', `/v1/mcp-servers/${server.id}/sync?agent_id=${id}`);
        const made = await admin('POST', '/v1/keys', { name, role: 'agent', agent_id: id });
        keys.set(id, (made.json as { key: string }).key);
      }
      for (const [id, key] of keys) {
        const before = closed.seen.length;
        const client = rawHttpClient(`${locked.url}/servers/shared/mcp`, {
          headers: { authorization: `Bearer ${key}` },
        });
        await client.initialize();
        await client.request('tools/call', { name: 'echo', arguments: { text: id } });
        const sent = closed.seen.slice(before).filter(({ headers }) => headers['x-agent-id'] !== undefined);
        expect(sent.length).toBeGreaterThan(0);
        const owner = [...keys.keys()].indexOf(id) === 0 ? 'one' : 'two';
        for (const { headers } of sent) {
          expect([headers['x-agent-id'], headers['authorization']]).toEqual([id, `Bearer secret-of-${owner}`]);
        }
      }
    } finally {
      await locked.close();
    }
  });
});
