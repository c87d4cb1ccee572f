import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ServerView, SyncReport } from '@plugboard/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { logInWithBrowser } from '../../../support/browser-login.js';
import { hubCallWith } from '../../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../../support/real-hub.js';
import { CELLS, variablesOf, type Cell, type CellPlaces } from './cells.js';
import { recordingUpstream, type RecordingUpstream, type Seen } from './recording-upstream.js';

/** Every place of a template × every credential × every transport: an agent's own value arrives, and nobody else's. */

const ADMIN = 'an-admin-key-of-32-characters-or-so';
const NAMES = ['alpha', 'beta'] as const;

interface Agent {
  readonly name: string;
  readonly id: string;
  readonly key: string;
  readonly clients: readonly Client[];
}

let hub: RealHub;
let upstream: RecordingUpstream;
let places: CellPlaces;
const agents: Agent[] = [];

const admin = (method: string, path: string, body?: unknown) => hubCallWith(hub.url, ADMIN)(method, path, body);

const connect = async (key: string, mode: 'legacy' | { readonly pin: '2026-07-28' }): Promise<Client> => {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), { requestInit: { headers } }));
  return client;
};

const createAgent = async (name: string): Promise<Agent> => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  upstream.desk.addKey(name, publicKey.export({ format: 'jwk' }));
  const jwk = JSON.stringify({ ...privateKey.export({ format: 'jwk' }), alg: 'ES256' });
  const variables = variablesOf(name, upstream.origin, await upstream.openProxy(name), jwk);
  await mkdir(join(places.homes, name), { recursive: true });
  await symlink(process.execPath, join(places.homes, name, 'node'));
  const { id } = (await admin('POST', '/v1/agents', { name, variables, server_ids: [] })).json as { id: string };
  const { key } = (await admin('POST', '/v1/keys', { name, role: 'agent', agent_id: id })).json as { key: string };
  return { name, id, key, clients: [await connect(key, 'legacy'), await connect(key, { pin: '2026-07-28' })] };
};

beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-variables-'));
  upstream = await recordingUpstream();
  places = { origin: upstream.origin, homes: home, notes: join(home, 'notes.jsonl') };
  hub = await startRealHub({
    settings: {
      access: { required: true, maxFailures: 20, trustProxy: [], adminKey: ADMIN, oauth: undefined },
      environment: { PATH: process.env['PATH'] ?? '' },
    },
  });
  for (const name of NAMES) agents.push(await createAgent(name));
});
afterAll(async () => {
  for (const client of agents.flatMap(({ clients }) => clients)) await client.close();
  await hub.close();
  await upstream[Symbol.asyncDispose]();
  await rm(places.homes, { recursive: true, force: true });
});

const seenBy = async (server: string): Promise<readonly Seen[]> => {
  const notes = await readFile(places.notes, 'utf8').catch(() => '');
  const noted = notes
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Seen);
  return [...upstream.seen, ...noted].filter((each) => each.server === server);
};

const logIn = async (server: string, agent?: string): Promise<void> => {
  const body = { server_id: server, ...(agent === undefined ? {} : { agent_id: agent }) };
  const { status, json } = await admin('POST', '/v1/oauth/sessions', body);
  expect({ status, json }).toMatchObject({ status: 201 });
  const provider = {
    login: async (url: string) => (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '',
  };
  const { authorization_url } = json as { readonly authorization_url: string };
  expect(await (await logInWithBrowser(authorization_url, provider)).json()).toMatchObject({ status: 'success' });
};

const register = async (cell: Cell): Promise<ServerView> => {
  const body = { server_name: cell.name, config: cell.config(places) };
  const { status, json } = await admin('POST', '/v1/mcp-servers', body);
  expect({ status, json }).toMatchObject({ status: 200 });
  const server = json as ServerView;
  if (cell.login === 'the hub') await logIn(server.id);
  for (const { id } of agents) {
    await admin('PATCH', `/v1/agents/${id}`, { server_ids: [server.id] });
    if (cell.login === 'each agent') await logIn(server.id, id);
    // A login is followed by a sync for whoever logged in; this one waits for it.
    if (cell.login !== undefined) await admin('POST', `/v1/mcp-servers/${server.id}/sync?agent_id=${id}`);
  }
  onTestFinished(async () => void (await admin('DELETE', `/v1/mcp-servers/${server.id}`)));
  return server;
};

const textIn = (result: unknown): string => JSON.stringify((result as { readonly content?: unknown }).content);

/** What an agent does with a server. A text that comes back is what the server saw of the call. */
const OPERATIONS: Readonly<Record<string, (agent: Agent, server: ServerView) => Promise<string | undefined>>> = {
  sync: async ({ id }, server) => {
    const { json } = await admin('POST', `/v1/mcp-servers/${server.id}/sync?agent_id=${id}`);
    expect(json as SyncReport).toMatchObject({ status: 'ok', total: 1 });
    return undefined;
  },
  'live list': async ({ id }, { server_name }) => {
    const live = await admin('GET', `/v1/tools/mcp/servers/${server_name}/tools?agent_id=${id}`);
    expect(live).toMatchObject({ status: 200, json: [{ name: 'look' }] });
    return undefined;
  },
  'list over MCP': async ({ clients }, { server_name }) => {
    for (const client of clients) {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      expect(tools.filter(({ name }) => name === `${server_name}__look`)).toHaveLength(1);
    }
    return undefined;
  },
  'call, legacy': async ({ clients: [client] }, { server_name }) =>
    textIn(await client?.callTool({ name: `${server_name}__look`, arguments: {} })),
  'call, modern': async ({ clients: [, client] }, { server_name }) =>
    textIn(await client?.callTool({ name: `${server_name}__look`, arguments: {} })),
  'call over REST': async ({ key }, { server_name }) => {
    const { status, json } = await hubCallWith(hub.url, key)('POST', `/servers/${server_name}/tools/look`, {});
    expect({ status, json }).toMatchObject({ status: 200 });
    return textIn(json);
  },
  'run as the agent': async ({ id }) => {
    const { status, json } = await admin('POST', `/v1/agents/${id}/tools/look/run`, { args: {} });
    expect({ status, json }).toMatchObject({ status: 200 });
    return JSON.stringify(json);
  },
  'run for the agent, by names': async ({ id }, { server_name }) => {
    const path = `/v1/tools/mcp/servers/${server_name}/tools/look/execute?agent_id=${id}`;
    const { status, json } = await admin('POST', path, { args: {} });
    expect({ status, json }).toMatchObject({ status: 200 });
    return JSON.stringify(json);
  },
};

describe.each(['streamable_http', 'sse', 'stdio', 'listening program'] as const)('%s', (transport) => {
  it.each(CELLS.filter((cell) => cell.transport === transport))('$name', async (cell) => {
    const server = await register(cell);
    for (const [operation, perform] of Object.entries(OPERATIONS)) {
      for (const agent of agents) {
        const before = (await seenBy(cell.name)).length;
        const told = await perform(agent, server);
        const seen = (await seenBy(cell.name)).slice(before);
        const others = agents.filter((each) => each !== agent).map(({ name }) => name);
        // Lists are served from the catalogue; everything else reaches the server.
        const reached = seen.length > 0 || operation === 'list over MCP';
        expect({ operation, reached }).toEqual({ operation, reached: true });
        for (const facts of [...seen.map((each) => each.with), ...(told === undefined ? [] : [told])]) {
          for (const value of cell.shows(agent.name)) expect(`${operation}: ${facts}`).toContain(value);
          for (const other of others) expect(`${operation}: ${facts}`).not.toMatch(new RegExp(`\\b${other}\\b`, 'u'));
        }
      }
    }
  });
});

it('covers every place with every credential', () => {
  const count = (transport: string) => CELLS.filter((cell) => cell.transport === transport).length;
  expect(['streamable_http', 'sse', 'stdio', 'listening program'].map(count)).toEqual([59, 59, 4, 4]);
});
