import { join } from 'node:path';
import { FakeServer, rawHttpClient, type RawHttpClient } from '@plugboard/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Agent, ApiKeyCreated } from '../../packages/contract/src/index.js';
import { SessionSeal } from '../../packages/gateway/src/session/session-seal.js';
import { readState, type ReadState } from '../../packages/gateway/src/session/session-state.js';
import {
  createEnvelopeSecretBox,
  openPostgresStore,
  openSqliteStore,
  type Store,
} from '../../packages/registry/src/index.js';
import { startPostgres } from '../../packages/registry/src/test-support/postgres.js';
import { hubCall } from '../support/hub-call.js';
import { run, temporaryDirectory } from './cli-process.js';
import { portOf, startHubProcess } from './hub-process.js';

const URI = 'note://one';
const POLL = { timeout: 60_000, interval: 50 };

const secretBox = createEnvelopeSecretBox({ masterKey: new Uint8Array(32) });

const postgresUrl = async (): Promise<string> => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  await postgres.createDatabase('sessions');
  return postgres.urlOf('sessions');
};

const farServer = async () => {
  const server = new FakeServer({
    resources: [{ uri: URI, text: 'first' }],
    tools: [
      'echo',
      'log',
      {
        name: 'stuck',
        handler: (_args, call) => {
          call.progress({ progress: 1 });
          return new Promise(() => undefined);
        },
      },
    ],
  });
  onTestFinished(() => server.close());
  return { server, url: (await server.listenHttp()).url };
};

/** What the store has of a session, for one who knows its id. */
const keptState = async (store: Store, id: string): Promise<ReadState | undefined> => {
  const seal = new SessionSeal(id);
  const kept = await store.sessions.load(seal.key);
  return kept && readState(id, kept, seal);
};

const connect = async (url: string) => {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    reconnectionOptions: {
      initialReconnectionDelay: 100,
      maxReconnectionDelay: 500,
      reconnectionDelayGrowFactor: 1.2,
      maxRetries: 500,
    },
  });
  const client = new Client({ name: 'survivor', version: '1' });
  onTestFinished(() => client.close());
  const updated: string[] = [];
  const logged: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params.level));
  await client.connect(transport);
  return { client, transport, updated, logged };
};

describe.each(['SQLite', 'Postgres'])('a hub that is killed and started again on %s', (engine) => {
  it('keeps the session of its client, with subscriptions, log level and streams', { timeout: 300_000 }, async () => {
    const home = await temporaryDirectory();
    const databaseUrl = engine === 'SQLite' ? undefined : await postgresUrl();
    const env = databaseUrl === undefined ? {} : { PLUGBOARD_DATABASE_URL: databaseUrl };
    const { server, url } = await farServer();
    const hub = await startHubProcess(home, env);
    const config = { mcp_server_type: 'streamable_http', server_url: url };
    await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'far', config });
    const store = await (databaseUrl === undefined
      ? openSqliteStore({ file: join(home, 'plugboard.db'), secretBox })
      : openPostgresStore({ url: databaseUrl, secretBox }));
    onTestFinished(() => store.close());

    const { client, transport, updated, logged } = await connect(`${hub.url}/servers/far/mcp`);
    const id = transport.sessionId ?? '';
    await client.subscribeResource({ uri: URI });
    await client.setLoggingLevel('error');
    let progressed = 0;
    const stuck = client.callTool({ name: 'stuck' }, undefined, {
      onprogress: () => (progressed += 1),
      timeout: 240_000,
    });
    stuck.catch(() => undefined);
    await expect.poll(() => progressed, POLL).toBe(1);
    await expect
      .poll(async () => {
        const past = (await keptState(store, id))?.readPast();
        return [past?.subscriptions, past?.logLevel, past?.interrupted.length];
      }, POLL)
      .toEqual([[URI], 'error', 1]);

    await hub.kill();
    const again = await startHubProcess(home, env, portOf(hub.url));
    expect(again.url).toBe(hub.url);

    const answer = await client.callTool({ name: 'echo', arguments: { text: 'still here' } });
    expect(JSON.stringify(answer)).toContain('still here');
    expect(transport.sessionId).toBe(id);
    await expect(stuck).rejects.toThrow('The hub restarted before the response arrived.');
    // First it is told that it may have missed something, then of what happens.
    await expect.poll(() => updated, POLL).toEqual([URI]);
    server.updateResource(URI, 'second');
    await expect.poll(() => updated, POLL).toEqual([URI, URI]);
    await client.callTool({ name: 'log', arguments: { level: 'info', message: 'not wanted' } });
    await client.callTool({ name: 'log', arguments: { level: 'error', message: 'wanted' } });
    await expect.poll(() => logged, POLL).toEqual(['error']);

    // A hub that stops in good order leaves its sessions to the next one as well.
    await again.stop();
    const third = await startHubProcess(home, env, portOf(hub.url));
    expect(JSON.stringify(await client.callTool({ name: 'echo', arguments: { text: 'third' } }))).toContain('third');
    expect(transport.sessionId).toBe(id);
    await transport.terminateSession();
    await expect.poll(() => keptState(store, id), POLL).toBeUndefined();
    await third.stop();
  });
});

const newKey = async (hubUrl: string, more: object): Promise<ApiKeyCreated> =>
  (await hubCall(hubUrl, 'POST', '/v1/keys', { name: 'client', ...more })).json as ApiKeyCreated;

const open = async (hubUrl: string, { key }: ApiKeyCreated): Promise<RawHttpClient> => {
  const client = rawHttpClient(`${hubUrl}/mcp`, { headers: { authorization: `Bearer ${key}` } });
  await client.initialize();
  return client;
};

it('only a caller that still has its rights gets its session back', { timeout: 300_000 }, async () => {
  const home = await temporaryDirectory();
  const hub = await startHubProcess(home);
  const agentId = async (name: string) => ((await hubCall(hub.url, 'POST', '/v1/agents', { name })).json as Agent).id;
  const [stays, leaves] = [await agentId('stays'), await agentId('leaves')];
  const keys = {
    kept: await newKey(hub.url, { agent_id: stays }),
    revoked: await newKey(hub.url, { agent_id: stays }),
    agent: await newKey(hub.url, { agent_id: leaves }),
  };
  const [kept, revoked, agent] = [
    await open(hub.url, keys.kept),
    await open(hub.url, keys.revoked),
    await open(hub.url, keys.agent),
  ];
  const store = await openSqliteStore({ file: join(home, 'plugboard.db'), secretBox });
  onTestFinished(() => store.close());
  for (const { sessionId } of [kept, revoked, agent]) {
    await expect.poll(() => keptState(store, sessionId ?? ''), POLL).toBeDefined();
  }
  await hub.kill();
  expect((await run(['key', 'revoke', keys.revoked.id], { home })).code).toBe(0);
  expect((await run(['agent', 'remove', 'leaves'], { home })).code).toBe(0);
  const again = await startHubProcess(home, {}, portOf(hub.url));

  const thief = rawHttpClient(`${hub.url}/mcp`, { headers: { authorization: `Bearer ${keys.kept.key}` } });
  thief.sessionId = agent.sessionId;
  const statuses = [];
  for (const client of [revoked, agent, thief, kept, kept]) statuses.push((await client.request('ping')).status);
  expect(statuses).toEqual([401, 401, 404, 200, 200]);
  await again.stop();
});
