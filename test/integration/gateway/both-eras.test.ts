import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { fakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { type FixtureUpstream, startFixture, startSdkServer } from '../conformance/fixture-upstream.js';
import { waysOf } from './relay-paths.js';
import { addServer, httpConfig, startRig } from './rig.js';

const INFO = { name: 'probe', version: '1.0.0' };
const ASKABLE = { capabilities: { elicitation: {}, sampling: {} } };
const SAMPLE = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'Paris' } };
const FORM = { action: 'accept' as const, content: { response: 'Ada', name: 'Ada' } };

interface Probe extends AsyncDisposable {
  call(name: string, args?: Record<string, unknown>): Promise<unknown>;
}

const oldClient = async (url: URL, options: object = ASKABLE): Promise<Probe> => {
  const client = new OldClient(INFO, options);
  if (options === ASKABLE) {
    client.setRequestHandler(ElicitRequestSchema, () => FORM);
    client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLE);
  }
  const transport = new OldTransport(url);
  await client.connect(transport);
  return {
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    [Symbol.asyncDispose]: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
};

const newClient =
  (version?: string) =>
  async (url: URL): Promise<Probe> => {
    const pin = version === undefined ? {} : { versionNegotiation: { mode: { pin: version } } };
    const client = new NewClient(INFO, { ...ASKABLE, ...pin });
    client.setRequestHandler('elicitation/create', () => FORM);
    client.setRequestHandler('sampling/createMessage', () => SAMPLE);
    await client.connect(new NewTransport(url));
    return {
      call: (name, args = {}) => client.callTool({ name, arguments: args }),
      [Symbol.asyncDispose]: () => client.close(),
    };
  };

const textOf = (result: unknown): string => JSON.stringify((result as { content: unknown }).content);

/**
 * What a sync stores: each of several processes knows what it found out itself. Two syncs and the question are an odd number
 * of connections, so with two workers another one is the last to sync when this is done again.
 */
const erasOf = async (hub: RealHub, name: string): Promise<unknown> => {
  for (let turn = 0; turn < 2; turn += 1) {
    expect((await hubCall(hub.url, 'POST', `/v1/mcp-servers/${name}/sync`)).status).toBe(200);
  }
  const { json } = await hubCall(hub.url, 'GET', `/v1/mcp-servers/${name}`);
  return (json as { protocol: { eras?: unknown } }).protocol.eras;
};

describe('a server of the official SDK', () => {
  let hub: RealHub;
  const fixtures: FixtureUpstream[] = [];
  const url = (name: string): URL => new URL(`/servers/${name}/mcp`, hub.url);
  const start = async (name: string, fixture: Promise<FixtureUpstream>): Promise<void> => {
    const started = await fixture;
    fixtures.push(started);
    await addServer(hub, name, started.config);
  };

  beforeAll(async () => {
    hub = await startRealHub();
    await Promise.all([
      start('http', startFixture({ fixture: 'sdk', eras: 'both', transport: 'http' })),
      start('stdio', startFixture({ fixture: 'sdk', eras: 'both', transport: 'stdio' })),
      start('modern', startFixture({ fixture: 'sdk', eras: 'modern', transport: 'http' })),
      start('stateless', startSdkServer('stateless', 'http')),
    ]);
  });

  afterAll(async () => {
    await hub.close();
    for (const fixture of fixtures) await fixture[Symbol.asyncDispose]();
  });

  describe.each(['http', 'stdio'])('that speaks both eras over %s', (name) => {
    it.each([
      ['SDK 1.x', oldClient],
      ['SDK 2.x', newClient()],
    ])('asks a legacy client of %s in the middle of a call', async (_sdk, connect) => {
      await using client = await connect(url(name));
      expect(textOf(await client.call('test_elicitation', { message: 'Who?' }))).toContain('Ada');
      expect(textOf(await client.call('test_sampling', { prompt: 'Where?' }))).toContain('Paris');
      expect(textOf(await client.call('test_input_required_result_elicitation'))).toContain('Hello, Ada');
      await using merged = await connect(new URL('/mcp', hub.url));
      expect(textOf(await merged.call(`${name}__test_elicitation`, { message: 'Who?' }))).toContain('Ada');
    });

    it('asks a modern client by its result', async () => {
      await using client = await newClient('2026-07-28')(url(name));
      expect(textOf(await client.call('test_input_required_result_elicitation'))).toContain('Hello, Ada');
    });

    it('is remembered as a server of both', async () => {
      await expect.poll(() => erasOf(hub, name)).toEqual(['legacy', 'modern']);
    });
  });

  it('takes plain calls of a legacy session on the fast path', async () => {
    await using client = await oldClient(url('http'));
    await client.call('test_simple_text');
    const ways = await waysOf(hub, async () => {
      for (let call = 0; call < 3; call += 1) await client.call('test_simple_text');
    });
    expect(ways).toEqual({ fast: 3 });
  });

  it('that is modern only is bridged, and remembered as that', async () => {
    await using client = await oldClient(url('modern'));
    expect(textOf(await client.call('test_input_required_result_elicitation'))).toContain('Hello, Ada');
    await expect.poll(() => erasOf(hub, 'modern')).toEqual(['modern']);
  });

  it('without legacy sessions asks by its modern side, and serves the rest by its own', async () => {
    await using client = await oldClient(url('stateless'));
    expect(textOf(await client.call('test_input_required_result_elicitation'))).toContain('Hello, Ada');
    await using plain = await oldClient(url('stateless'), {});
    await plain.call('test_simple_text');
    expect(await waysOf(hub, () => plain.call('test_simple_text'))).toEqual({ fast: 1 });
  });
});

describe('what the hub learned about eras', () => {
  it('outlives a restart of the hub', async () => {
    await using server = fakeServer({ eras: 'modern', tools: ['echo'] });
    const { url } = await server.listenHttp();
    const home = await mkdtemp(join(tmpdir(), 'plugboard-eras-'));
    const greet = async (hub: RealHub): Promise<void> => {
      await using client = await oldClient(new URL('/servers/fake/mcp', hub.url));
      expect(textOf(await client.call('echo', { text: 'hi' }))).toContain('hi');
    };
    try {
      const first = await startRealHub({ settings: { home } });
      await addServer(first, 'fake', httpConfig(url));
      await greet(first);
      await expect.poll(() => erasOf(first, 'fake')).toEqual(['modern']);
      await first.close();
      const asked = server.log.count('initialize');
      expect(asked).toBe(1);
      const second = await startRealHub({ settings: { home } });
      await greet(second);
      await second.close();
      expect(server.log.count('initialize')).toBe(asked);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});

describe('a server of both eras', () => {
  const counting = { eras: 'both', tools: ['counter', 'echo'] } as const;

  it('keeps a state per legacy session, and hears each era in its own words', async () => {
    await using rig = await startRig(counting);
    await using one = await oldClient(rig.url);
    await using two = await oldClient(rig.url);
    await using modern = await newClient('2026-07-28')(rig.url);
    await one.call('counter');
    await modern.call('echo', { text: 'modern' });
    await two.call('echo', { text: 'legacy' });
    expect(rig.server.sessionIds).toHaveLength(2);
    const calls = rig.server.log.entries.filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ era }) => era)).toEqual(['legacy', 'modern', 'legacy']);
  });

  it('tells a legacy session of the resource that it subscribed to', async () => {
    const uri = 'test://watched';
    await using rig = await startRig({ ...counting, resources: [{ uri, name: 'watched', text: 'one' }] });
    const client = new OldClient(INFO);
    const updated = new Promise<unknown>((resolve) => {
      client.fallbackNotificationHandler = async ({ method, params }) => {
        if (method === 'notifications/resources/updated') resolve(params);
      };
    });
    await client.connect(new OldTransport(rig.url));
    await client.subscribeResource({ uri });
    rig.server.updateResource(uri, 'two');
    expect(await updated).toMatchObject({ uri });
    expect(rig.server.log.entries.some(({ method }) => method === 'resources/subscribe')).toBe(true);
    await client.close();
  });

  it('is subscribed to again when it lost the session', async () => {
    const uri = 'test://watched';
    await using rig = await startRig({ ...counting, resources: [{ uri, name: 'watched', text: 'one' }] });
    const client = new OldClient(INFO);
    await client.connect(new OldTransport(rig.url));
    await client.subscribeResource({ uri });
    rig.server.dropSessions();
    await client.callTool({ name: 'echo', arguments: { text: 'again' } });
    expect((await rig.server.log.arrival('resources/subscribe', 2)).params).toMatchObject({ uri });
    await client.close();
  });
});
