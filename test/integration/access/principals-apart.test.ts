import {
  fakeServer,
  type FakeServer,
  type JsonObject,
  type RawAnswer,
  rawHttpClient,
  taskServer,
} from '@plugboard/testing';
import { AuthorizationServerDouble, protectResource } from '@plugboard/testing/oauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, ApiKeyCreated } from '../../../packages/contract/src/index.js';
import { hubCallWith } from '../../support/hub-call.js';
import { openStream } from '../../support/open-stream.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { startTokenIssuer } from '../../support/token-issuer.js';

const ADMIN_KEY = 'the-key-of-the-operator-of-this-test';
const AUDIENCE = 'https://hub.example';
const NOTE = 'test://note';
const TASKS = 'io.modelcontextprotocol/tasks';

type Name = 'alice' | 'bob' | 'carol';

let hub: RealHub;
let shared: FakeServer;
let guardedId: string;
const credentials = new Map<Name, string>();
const closing: (() => Promise<unknown>)[] = [];
let canaries = 0;

const newCanary = (): string => {
  canaries += 1;
  return `canary-of-one-principal-${canaries}`;
};

const headersOf = (name: Name): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${credentials.get(name)}`,
});

beforeAll(async () => {
  const issuer = await startTokenIssuer();
  hub = await startRealHub({
    settings: {
      access: {
        required: true,
        maxFailures: 1000,
        trustProxy: [],
        adminKey: ADMIN_KEY,
        oauth: {
          issuer: issuer.url,
          audience: AUDIENCE,
          jwksUri: issuer.jwksUri,
          introspection: undefined,
          algorithms: ['ES256'],
          clockSkewSeconds: 30,
          roleClaim: undefined,
          agentClaim: undefined,
        },
      },
    },
  });
  shared = fakeServer({
    tools: ['log', 'elicit'],
    resources: [{ uri: NOTE, name: 'note', text: 'a note' }],
    resumable: true,
  });
  const tasks = taskServer('modern');
  const secret = fakeServer({ tools: ['echo'], resources: [{ uri: 'secret://plan', name: 'plan', text: 'the plan' }] });
  const authorization = await AuthorizationServerDouble.start();
  const guarded = await protectResource({ server: fakeServer({ tools: ['echo'] }), authorization });
  closing.push(
    () => hub.close(),
    () => issuer.close(),
    () => guarded.close(),
    () => authorization.close(),
    ...[shared, tasks, secret].map((server) => () => server.close()),
  );
  const admin = hubCallWith(hub.url, ADMIN_KEY);
  const add = async (server_name: string, server_url: string): Promise<string> => {
    const config = { mcp_server_type: 'streamable_http', server_url };
    return ((await admin('POST', '/v1/mcp-servers', { server_name, config })).json as { id: string }).id;
  };
  const server_ids = [
    await add('shared', (await shared.listenHttp()).url),
    await add('tasks', (await tasks.listenHttp()).url),
  ];
  guardedId = await add('guarded', guarded.url);
  const secretId = await add('secret', (await secret.listenHttp()).url);
  for (const name of ['alice', 'bob'] as const) {
    const given = name === 'alice' ? [...server_ids, guardedId, secretId] : [...server_ids, guardedId];
    const agent = (await admin('POST', '/v1/agents', { name, server_ids: given })).json as Agent;
    const made = (await admin('POST', '/v1/keys', { name, agent_id: agent.id })).json as ApiKeyCreated;
    credentials.set(name, made.key);
  }
  const exp = Math.floor(Date.now() / 1000) + 3600;
  credentials.set('carol', issuer.sign({ iss: issuer.url, aud: AUDIENCE, sub: 'carol', exp }));
});
afterAll(async () => {
  for (const close of closing) await close();
});

const endpoint = (server: string): string => `${hub.url}/servers/${server}/mcp`;

const legacy = async (name: Name, server = 'shared') => {
  const client = rawHttpClient(endpoint(server), { headers: headersOf(name) });
  await client.initialize();
  return client;
};

const modern = (name: Name, server: string, capabilities: JsonObject) =>
  rawHttpClient(endpoint(server), { era: 'modern', headers: headersOf(name), capabilities });

const stream = (client: ReturnType<typeof rawHttpClient>, lastEventId?: string) =>
  openStream((signal) =>
    client.fetch('GET', {
      signal,
      headers: { accept: 'text/event-stream', ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    }),
  );

const resultOf = ({ response }: RawAnswer): JsonObject => response?.result ?? {};
const codeOf = ({ response }: RawAnswer): number | undefined => response?.error?.code;

/** Something that everybody behind the server hears: what comes before it has come. */
const ring = async (...streams: readonly Awaited<ReturnType<typeof stream>>[]): Promise<void> => {
  shared.notify('notifications/resources/list_changed');
  for (const each of streams) await each.has('notifications/resources/list_changed');
};

describe.each([
  ['alice', 'bob'],
  ['alice', 'carol'],
  ['carol', 'alice'],
] as const)('what is %s’s is not for %s', (owner, stranger) => {
  it('her session', async () => {
    const hers = await legacy(owner);
    const thief = rawHttpClient(endpoint('shared'), { headers: headersOf(stranger) });
    thief.sessionId = hers.sessionId;
    expect((await thief.request('tools/list')).status).toBe(404);
    expect((await stream(thief)).status).toBe(404);
    expect((await thief.fetch('DELETE')).status).toBe(404);
    expect((await hers.request('tools/list')).status).toBe(200);
  });

  it('her events, also when they are asked for by their ids', async () => {
    const canary = newCanary();
    const hers = await legacy(owner);
    const { text, status } = await hers.request('tools/call', { name: 'log', arguments: { message: canary } });
    expect([status, text.includes(canary)]).toEqual([200, true]);
    const id = /^id: (.+)$/mu.exec(text)?.[1] ?? '';
    expect(id).not.toBe('');
    const own = await legacy(stranger);
    const replayed = await stream(own, id);
    await ring(replayed);
    expect(replayed.text()).not.toContain(canary);
    // Its owner gets what came after it once more.
    const again = await stream(hers, id);
    await again.has(canary);
  });

  it('her unfinished call', async () => {
    const canary = newCanary();
    const can = { elicitation: {} };
    const call = { name: 'elicit', arguments: { message: canary } };
    const asked = resultOf(await modern(owner, 'shared', can).request('tools/call', call));
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) as string });
    const inputResponses = Object.fromEntries(
      Object.keys(asked['inputRequests'] as object).map((key) => [
        key,
        { action: 'accept', content: { name: `${canary}-answer` } },
      ]),
    );
    const retry = { ...call, inputResponses, requestState: asked['requestState'] };
    const stolen = await modern(stranger, 'shared', can).request('tools/call', retry);
    expect([codeOf(stolen), stolen.text.includes(canary)]).toEqual([-32_602, false]);
    const finished = await modern(owner, 'shared', can).request('tools/call', retry);
    expect(finished.text).toContain(`${canary}-answer`);
  });

  it('what she subscribed to', async () => {
    const [hers, other] = [await legacy(owner), await legacy(stranger)];
    const [heard, overheard] = [await stream(hers), await stream(other)];
    await hers.request('resources/subscribe', { uri: NOTE });
    shared.notify('notifications/resources/updated', { uri: NOTE });
    await heard.has('notifications/resources/updated');
    await ring(overheard);
    expect(overheard.text()).not.toContain('notifications/resources/updated');
  });

  it('her tasks', async () => {
    const can = { extensions: { [TASKS]: {} } };
    const hers = modern(owner, 'tasks', can);
    const call = { name: 'slow_compute', arguments: { seconds: 30, label: newCanary() } };
    const { taskId } = resultOf(await hers.request('tools/call', call));
    expect(taskId).toEqual(expect.any(String));
    const thief = modern(stranger, 'tasks', can);
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const answer = await thief.request(method, { taskId, inputResponses: {} });
      expect([method, codeOf(answer), resultOf(answer)]).toEqual([method, -32_602, {}]);
    }
    const listed = await (await legacy(stranger, 'tasks')).request('tasks/list');
    expect(listed.text).not.toContain(taskId);
    expect(resultOf(await hers.request('tasks/get', { taskId }))).toMatchObject({ taskId, status: 'working' });
    await hers.request('tasks/cancel', { taskId });
  });

  it('her login', async () => {
    const ask = (name: Name) => hubCallWith(hub.url, credentials.get(name));
    const { json } = await ask(owner)('POST', '/v1/oauth/sessions', { server_id: guardedId });
    const { id, authorization_url: url } = json as { id: string; authorization_url: string };
    expect(url).toBe(`${hub.url}/v1/oauth/login/${id}`);
    for (const method of ['GET', 'DELETE']) {
      const answer = await ask(stranger)(method, `/v1/oauth/sessions/${id}`);
      expect([method, answer.status]).toEqual([method, 404]);
      expect(JSON.stringify(answer.json)).not.toContain(url);
    }
    expect(JSON.stringify((await ask(stranger)('GET', '/v1/oauth/sessions')).json)).not.toContain(id);
    expect((await ask(owner)('GET', `/v1/oauth/sessions/${id}`)).json).toMatchObject({ id, status: 'pending' });
  });
});

describe('what operators see of everybody', () => {
  it.each(['alice', 'carol'] as const)('is not for %s', async (name) => {
    for (const path of [
      '/v1/events',
      '/v1/calls',
      '/v1/audit',
      '/v1/audit/export',
      '/metrics',
      '/v1/agents',
      '/v1/keys',
    ]) {
      const response = await fetch(hub.url + path, { headers: headersOf(name) });
      const text = await response.text();
      expect([path, response.status, /canary|bob/u.test(text)]).toEqual([path, 403, false]);
    }
  });

  it('is there to be seen', async () => {
    const { json } = await hubCallWith(hub.url, ADMIN_KEY)('GET', '/v1/audit?kind=call');
    expect(JSON.stringify(json)).toContain('shared/log');
  });
});

describe('a server that one agent was given', () => {
  it('shows its resources to that agent only, on the endpoint that both use', async () => {
    const all = (name: Name) => rawHttpClient(`${hub.url}/mcp`, { headers: headersOf(name) });
    const [hers, his] = [all('alice'), all('bob')];
    await Promise.all([hers.initialize(), his.initialize()]);
    expect((await hers.request('resources/list')).text).toContain('secret://plan');
    expect((await his.request('resources/list')).text).not.toContain('secret');
    expect((await hers.request('resources/read', { uri: 'secret://plan' })).text).toContain('the plan');
    const refused = await his.request('resources/read', { uri: 'secret://plan' });
    expect([codeOf(refused), refused.text.includes('the plan')]).toEqual([-32_002, false]);
    expect((await his.request('tools/list')).text).not.toContain('secret__echo');
  });
});
