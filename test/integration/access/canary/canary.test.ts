import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { rawHttpClient } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../../packages/plugboard/src/log/logger.js';
import { DEFAULTS } from '../../../../packages/plugboard/src/settings/settings.js';
import { leaksIn, spellings } from '../../../support/canary.js';
import { startRealHub, type RealHub } from '../../../support/real-hub.js';
import { startCollector, type Collector } from './collector.js';
import { makeSecrets } from './secrets.js';
import { startServers, type CanaryServers } from './servers.js';
import { ask, command, filesIn, jsonOf, readablePaths } from './surface.js';

/** What the hub keeps for its owner: the key to everything, and the key of this machine's commands. */
const OWN_KEYS = ['master.key', 'hub.json'];

const secrets: Record<string, string> & ReturnType<typeof makeSecrets> = makeSecrets();
/** Everything that anybody could see, by where it was seen. */
const seen = new Map<string, string>();
let home: string;
let hub: RealHub;
let servers: CanaryServers;
let collector: Collector;
let agentKey: string;
const ids: Record<string, string> = {};

const note = (place: string, text: string): void => void seen.set(place, `${seen.get(place) ?? ''}${text}\n`);

const say = async (method: string, path: string, options: { body?: unknown; raw?: string; key?: string } = {}) => {
  const answer = await ask(hub.url + path, method, { key: secrets.adminKey, ...options });
  note(`${method} ${path.split('?')[0] ?? ''}`, answer);
  return answer;
};

const cli = async (...argv: readonly string[]): Promise<void> => {
  const env = { PLUGBOARD_HUB_URL: hub.url, PLUGBOARD_API_KEY: secrets.adminKey, PLUGBOARD_HOME: home };
  for (const mode of [[], ['--json']]) {
    const { text } = await command([...argv, ...mode], { env });
    expect(text.trim()).not.toBe('');
    note(`plugboard ${argv.join(' ')} ${mode.join('')}`, text);
  }
};

const start = async (): Promise<void> => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-canary-'));
  await writeFile(join(home, 'master.key'), secrets.masterKey);
  servers = await startServers(secrets);
  collector = await startCollector();
  const lines = new PassThrough();
  lines.setEncoding('utf8').on('data', (line: string) => note('the log', line));
  hub = await startRealHub({
    settings: {
      home,
      masterKey: { from: 'file', path: join(home, 'master.key'), create: false },
      access: { ...DEFAULTS.access, required: true, adminKey: secrets.adminKey },
      environment: { PATH: process.env['PATH'] ?? '', HUB_VARIABLE: secrets.hubVariable },
      templateEnvironment: ['HUB_VARIABLE'],
      deadlines: { ...DEFAULTS.deadlines, connectMs: 5000, listMs: 5000, callMs: 5000 },
      observe: {
        ...DEFAULTS.observe,
        slowMs: 1,
        tracesUrl: collector.url,
        tracesHeaders: { authorization: `Bearer ${secrets.collectorKey}` },
      },
    },
    log: createLogger({ level: 'trace', destination: lines }),
  });
};

const registerAll = async (): Promise<void> => {
  for (const [server_name, config] of Object.entries(servers.configs)) {
    const { id } = jsonOf(await say('POST', '/v1/mcp-servers', { body: { server_name, config } })) as { id: string };
    ids[server_name] = id;
  }
  const agent = jsonOf(
    await say('POST', '/v1/agents', {
      body: { name: 'bot', variables: { AGENT_VARIABLE: secrets.agentVariable }, server_ids: [ids['agented']] },
    }),
  ) as { id: string };
  ids['agent'] = agent.id;
  await say('POST', `/v1/mcp-servers/${ids['agented']}/sync?agent_id=${agent.id}`);
  // The one answer that may show a key.
  const made = await ask(`${hub.url}/v1/keys`, 'POST', {
    key: secrets.adminKey,
    body: { name: 'bot', role: 'agent', agent_id: agent.id },
  });
  agentKey = (jsonOf(made) as { key: string }).key;
  Object.assign(secrets, { agentKey });
};

const callTools = async (): Promise<void> => {
  // What a tool answers goes to the caller as it is; nobody else may see it.
  const call = (path: string, key = secrets.adminKey) =>
    ask(hub.url + path, 'POST', { key, body: { text: `a key for a model: ${secrets.toolArgument}` } });
  for (const name of ['plain', 'named', 'query', 'program', 'machine']) {
    expect(await call(`/servers/${name}/tools/echo`)).toContain(secrets.toolArgument);
  }
  expect(await call('/servers/agented/tools/echo', agentKey)).toContain(secrets.toolArgument);
  note('a call without variables', await call('/servers/agented/tools/echo'));
  for (const name of ['dying', 'refusing', 'dead']) {
    note(`a call of ${name}`, await call(`/servers/${name}/tools/echo`));
  }
  for (const era of ['legacy', 'modern'] as const) {
    const client = rawHttpClient(`${hub.url}/servers/plain/mcp`, {
      era,
      headers: { authorization: `Bearer ${secrets.adminKey}` },
    });
    if (era === 'legacy') await client.initialize();
    // The first opens the connection, the second may take the fast path.
    for (const _time of [1, 2]) {
      const { text } = await client.request('tools/call', { name: 'echo', arguments: { text: secrets.toolArgument } });
      expect(text).toContain(secrets.toolArgument);
    }
    await client.request('tools/call', { name: 'none', arguments: { password: secrets.toolArgument } });
  }
  await say('POST', '/servers/plain/tools/fail', { body: {} });
  servers.authorization.expireAccessTokens();
  await say('POST', '/servers/machine/tools/echo', { body: { text: 'with an expired token' } });
};

const provoke = async (): Promise<void> => {
  const body = {
    server_name: 5,
    config: {
      mcp_server_type: 'streamable_http',
      server_url: 7,
      auth_token: secrets.invalidBody,
      extra: secrets.invalidBody,
    },
  };
  await say('POST', '/v1/mcp-servers', { body });
  await say('POST', '/v1/mcp-servers', { raw: `{"auth_token": "${secrets.invalidBody}` });
  await say('PATCH', `/v1/mcp-servers/${ids['plain']}`, {
    body: { config: { auth_token: { x: secrets.invalidBody } } },
  });
  await say('PATCH', `/v1/agents/${ids['agent']}`, { body: { variables: { lower: secrets.invalidBody } } });
  await say('POST', '/v1/agents', { body: { name: 'x', [secrets.invalidBody.slice(0, 8)]: secrets.invalidBody } });
  await say('GET', '/v1/keys', { key: secrets.invalidBody });
  await say('POST', '/mcp', { raw: `not JSON: ${secrets.invalidBody}` });
  await say('POST', '/servers/plain/tools/echo', { raw: `{"text": "${secrets.invalidBody}"` });
  for (const name of Object.keys(servers.configs)) await say('POST', `/v1/mcp-servers/${ids[name]}/sync`);
};

const readEverything = async (): Promise<void> => {
  const document = jsonOf(await say('GET', '/openapi.json')) as Parameters<typeof readablePaths>[0];
  const names = { agent_id: ids['agent'] ?? '', mcp_server_name: 'query' };
  for (const name of Object.keys(servers.configs)) {
    const id = ids[name] ?? '';
    await say('GET', `/v1/mcp-servers/${id}`);
    await say('GET', `/v1/mcp-servers/${id}/tools`);
  }
  const paths = readablePaths(document, { ...names, mcp_server_id: ids['plain'] ?? '' });
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) await say('GET', path);
  for (const path of ['/health', '/ready', '/metrics', '/servers', '/v1/audit?limit=500']) await say('GET', path);
};

const runCommands = async (): Promise<void> => {
  await cli('list');
  for (const name of Object.keys(servers.configs)) await cli('show', name);
  for (const name of ['plain', 'program']) await cli('tools', name);
  await cli('sync', 'dying', 'refusing', 'dead', 'agented');
  await cli('call', 'dying', 'echo', '--arg', 'text=x');
  await cli('call', 'refusing', 'echo', '--arg', 'text=x');
  await cli('call', 'plain', 'echo', '--arg', 'text=x');
  await cli('export');
  await cli('doctor');
  await cli('agent', 'list');
  await cli('agent', 'show', 'bot');
  await cli('key', 'list');
  await cli('audit');
  await cli('set', 'plain', '--header', 'X-Other: y');
};

beforeAll(async () => {
  await start();
  await registerAll();
  await callTools();
  await provoke();
  await readEverything();
  await runCommands();
  await say('POST', '/v1/keys/rotate-master');
  Object.assign(secrets, { newMasterKey: (await readFile(join(home, 'master.key'), 'utf8')).trim() });
  for (const [name, bytes] of await filesIn(home, OWN_KEYS)) note(`${name} while it runs`, bytes);
  await hub.close();
  for (const [name, bytes] of await filesIn(home, OWN_KEYS)) note(`${name} afterwards`, bytes);
  note('traces', collector.bodies.join('\n'));
  Object.assign(
    secrets,
    Object.fromEntries(servers.authorization.confidences.map((secret, index) => [`oauth ${index}`, secret])),
  );
}, 120_000);

afterAll(async () => {
  await servers[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

describe('secrets', () => {
  it('of every kind were really used', () => {
    const sent = JSON.stringify(servers.fake.log.entries.map(({ headers }) => headers));
    for (const name of ['bearer', 'namedToken', 'header', 'serverVariable', 'agentVariable'] as const) {
      expect([name, sent.includes(secrets[name])]).toEqual([name, true]);
    }
    expect(sent).toContain(ids['agent']);
    expect(collector.authorizations).toContain(`Bearer ${secrets.collectorKey}`);
    expect(servers.authorization.accessTokens.length).toBeGreaterThan(0);
    expect(secrets['newMasterKey']).not.toBe(secrets.masterKey);
    // The process that printed all it was given is quoted, with its secrets blotted out.
    expect(seen.get('plugboard sync dying refusing dead agented ')).toContain('[redacted]');
  });

  it('are seen nowhere: in no answer, log, metric, trace, output or file', () => {
    expect([...seen.keys()].length).toBeGreaterThan(60);
    for (const place of ['the log', 'traces', 'GET /metrics', 'GET /v1/audit', 'plugboard.db afterwards']) {
      expect([place, (seen.get(place)?.length ?? 0) > 100]).toEqual([place, true]);
    }
    // The log is at its most talkative.
    for (const said of [
      'A message was sent.',
      'A message was received.',
      'A request was answered.',
      'Session opened.',
    ]) {
      expect(seen.get('the log')).toContain(said);
    }
    expect(leaksIn(seen, secrets)).toEqual([]);
  });

  it('would be found in whichever form they leaked', () => {
    for (const [form, spelling] of spellings(secrets.bearer)) {
      const planted = new Map([['a planted place', `before ${spelling} after`]]);
      expect([form, leaksIn(planted, secrets).map((leak) => leak.split(',')[0])]).toEqual([
        form,
        ['bearer in a planted place'],
      ]);
    }
    const inside = Buffer.from(`Basic user:${secrets.header} and more`).toString('base64');
    expect(leaksIn(new Map([['a header', inside]]), secrets)).toHaveLength(1);
  });

  it('are found in clear where they are used, so that the search is not blind', () => {
    const sent = new Map([['sent', JSON.stringify(servers.fake.log.entries.map(({ headers }) => headers))]]);
    expect(leaksIn(sent, secrets).length).toBeGreaterThanOrEqual(5);
  });
});
