import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ServerView, SyncReport } from '@plugboard/contract';
import { FakeServer, fakeServerCommand } from '@plugboard/testing';
import { AuthorizationServerDouble, protectResource } from '@plugboard/testing/oauth';
import { describe, expect, it, onTestFinished } from 'vitest';
import { logInWithBrowser } from '../../support/browser-login.js';
import { hubCallWith } from '../../support/hub-call.js';
import { startRealHub } from '../../support/real-hub.js';
import { recordingProxy, type SeenRequest } from '../../support/recording-proxy.js';

const ADMIN = 'an-admin-key-of-32-characters-or-so';
const VALUE = 'value-of-the-agent';
const MACHINE = { client_id: 'machine', client_secret: 'the-secret-of-the-machine-of-this-test' };

interface Upstream {
  readonly url: string;
  readonly seen: () => readonly SeenRequest[];
  /** Its authorization server, where it has one. */
  readonly issuer?: string;
}

/** A server with the tool `echo`, behind a proxy that writes down how it is asked. */
const openUpstream = async (kind: 'streamable_http' | 'sse', locked: boolean): Promise<Upstream> => {
  const fake = new FakeServer({ tools: ['echo'] });
  onTestFinished(() => fake.close());
  if (kind === 'sse') {
    const proxy = await recordingProxy((await fake.listenSse()).url, { keepPath: true });
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    return { url: `${proxy.url}/sse`, seen: () => proxy.seen };
  }
  if (!locked) {
    const proxy = await recordingProxy((await fake.listenHttp()).url);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    return { url: `${proxy.url}/mcp`, seen: () => proxy.seen };
  }
  const authorization = await AuthorizationServerDouble.start({
    clients: [{ ...MACHINE, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
  });
  onTestFinished(() => authorization.close());
  const resource = await protectResource({ server: fake, authorization });
  onTestFinished(() => resource.close());
  return {
    url: resource.url,
    issuer: authorization.issuer,
    seen: () => fake.log.entries.map(({ headers }) => ({ url: '', headers })),
  };
};

/** A hub that asks for keys, with one agent that has the variable BOT_KEY and may use the server. */
const agentWith = async (config: object) => {
  const hub = await startRealHub({
    settings: {
      access: { required: true, maxFailures: 20, trustProxy: [], adminKey: ADMIN, oauth: undefined },
      environment: { PATH: process.env['PATH'] ?? '' },
    },
  });
  onTestFinished(() => hub.close());
  const admin = hubCallWith(hub.url, ADMIN);
  const registered = await admin('POST', '/v1/mcp-servers', { server_name: 'templated', config });
  const server = registered.json as ServerView;
  const body = { name: 'bot', variables: { BOT_KEY: VALUE }, server_ids: [server.id] };
  const { id } = (await admin('POST', '/v1/agents', body)).json as { id: string };
  const { key } = (await admin('POST', '/v1/keys', { name: 'bot', role: 'agent', agent_id: id })).json as {
    key: string;
  };
  return { hub, admin, server, agent: id, key };
};

const connect = async (url: string, key: string): Promise<Client> => {
  const client = new Client({ name: 'agent', version: '1' });
  onTestFinished(() => client.close());
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
};

/** Sync, live list, and list and call with the agent's own key: over MCP and plain REST. */
const useEverywhere = async (config: object): Promise<readonly string[]> => {
  const { hub, admin, server, agent, key } = await agentWith(config);
  expect(server.missing_variables).toEqual(['BOT_KEY']);
  const synced = await admin('POST', `/v1/mcp-servers/${server.id}/sync?agent_id=${agent}`);
  expect(synced.json as SyncReport).toMatchObject({ status: 'ok', total: 1 });
  const live = await admin('GET', `/v1/tools/mcp/servers/templated/tools?agent_id=${agent}`);
  expect(live).toMatchObject({ status: 200, json: [{ name: expect.any(String) }] });
  const answers: string[] = [];
  for (const [path, prefix] of [
    ['/servers/templated/mcp', ''],
    ['/mcp', 'templated__'],
  ] as const) {
    const client = await connect(hub.url + path, key);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name.slice(0, prefix.length))).toEqual([prefix]);
    const result = await client.callTool({ name: tools[0]?.name ?? '', arguments: { text: 'hello', name: 'KEY' } });
    answers.push(JSON.stringify(result.content));
  }
  const tool = (live.json as { name: string }[])[0]?.name ?? '';
  const args = tool === 'echo' ? { text: 'hello' } : { name: 'KEY' };
  const rest = await hubCallWith(hub.url, key)('POST', `/servers/templated/tools/${tool}`, args);
  expect(rest.status).toBe(200);
  return [...answers, JSON.stringify(rest.json)];
};

/** What all requests carried in the header, and what the first one had in its query. */
const carried = (seen: readonly SeenRequest[]) => ({
  headers: [...new Set(seen.map(({ headers }) => headers['x-api-key']))],
  query: seen[0]?.url.split('?')[1],
});

const PLACES = {
  header: (url: string) => ({ server_url: url, custom_headers: { 'X-Api-Key': 'key {{ BOT_KEY }}' } }),
  url: (url: string) => ({ server_url: `${url}?key={{ BOT_KEY }}` }),
  'header and url': (url: string) => ({
    server_url: `${url}?key=\${BOT_KEY}`,
    custom_headers: { 'X-Api-Key': 'key ${BOT_KEY}' },
  }),
} as const;

const AUTH = {
  'no token': {},
  'a token of the server': { auth_token: 'fixed-token-of-the-server' },
  'a token of the agent': { auth_token: '{{ BOT_KEY }}' },
} as const;

describe('an agent’s variable reaches a server over HTTP', () => {
  for (const kind of ['streamable_http', 'sse'] as const) {
    for (const [place, configOf] of Object.entries(PLACES)) {
      for (const [auth, members] of Object.entries(AUTH)) {
        it(`in the ${place}, with ${auth}, by ${kind}`, async () => {
          const { url, seen } = await openUpstream(kind, false);
          await useEverywhere({ mcp_server_type: kind, ...configOf(url), ...members });
          expect(carried(seen())).toEqual({
            headers: [place === 'url' ? undefined : `key ${VALUE}`],
            query: place === 'header' ? undefined : `key=${VALUE}`,
          });
        });
      }
    }
  }

  it.each(Object.keys(PLACES))('in the %s, where the hub logs in as itself', async (place) => {
    const { url, seen, issuer } = await openUpstream('streamable_http', true);
    const configOf = PLACES[place as keyof typeof PLACES];
    const oauth = { grant: 'client_credentials', ...MACHINE, issuer };
    await useEverywhere({ mcp_server_type: 'streamable_http', ...configOf(url), oauth });
    expect(carried(seen()).headers).toEqual([place === 'url' ? undefined : `key ${VALUE}`]);
  });
});

it('an agent borrows the login of the hub for a server whose headers only the agent can fill in', async () => {
  const fake = new FakeServer({ tools: ['echo'] });
  onTestFinished(() => fake.close());
  const authorization = await AuthorizationServerDouble.start();
  onTestFinished(() => authorization.close());
  const resource = await protectResource({ server: fake, authorization });
  onTestFinished(() => resource.close());
  const config = { mcp_server_type: 'streamable_http', ...PLACES.header(resource.url) };
  const { admin, server, agent } = await agentWith(config);
  const begun = await admin('POST', '/v1/oauth/sessions', { server_id: server.id });
  const { authorization_url } = begun.json as { authorization_url: string };
  await logInWithBrowser(authorization_url, authorization);
  const synced = await admin('POST', `/v1/mcp-servers/${server.id}/sync?agent_id=${agent}`);
  expect(synced.json).toMatchObject({ status: 'ok', added: ['echo'] });
});

describe('an agent’s variable reaches a program', () => {
  it.each([
    ['env', { env: { KEY: '{{ BOT_KEY }}' } }],
    ['env by another name', { env: { KEY: 'x${BOT_KEY}x' } }],
  ])('in %s', async (_place, members) => {
    const { command, args, env } = fakeServerCommand({ tools: ['env'] });
    const config = { mcp_server_type: 'stdio', command, args, env: { ...env, ...members.env } };
    const answers = await useEverywhere(config);
    for (const answer of answers) expect(answer).toContain(VALUE);
  });
});
