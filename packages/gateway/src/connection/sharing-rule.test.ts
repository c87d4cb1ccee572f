import { McpConnectionError, McpProtocolError } from '@plugboard/client';
import { describe, expect, it } from 'vitest';
import { callOf, clientOf, sessionOf } from '../test-support/call.js';
import { sampleServer } from '../test-support/catalogue.js';
import { RecordingClient, type RecordingClientOptions } from '../test-support/recording-client.js';
import { leaseLink } from './lease-link.js';
import type { ClientRequest } from './upstream-pool.js';
import { UpstreamPool } from './upstream-pool.js';

const server = sampleServer('s', 1);
const live = new AbortController().signal;

const setUp = (era: 'legacy' | 'modern', transport: 'stdio' | 'streamable_http', sessionId?: string) => {
  const made: { readonly request: ClientRequest; readonly client: RecordingClient }[] = [];
  const pool = new UpstreamPool({
    idleMs: 1000,
    makeClient: (_server, request) => {
      const client = new RecordingClient(() => ({}), {
        protocol: { era, transport },
        ...(sessionId === undefined ? {} : { sessionId }),
      });
      made.push({ request, client });
      return client;
    },
  });
  return { pool, made };
};

const unsupported = new McpProtocolError('UPSTREAM_PROTOCOL', 'no', { rpc: { code: -32022, message: 'no' } });

/** A modern server; `legacy` says how its legacy side answers. */
const setUpBoth = (legacy: RecordingClientOptions) => {
  const made: { readonly request: ClientRequest; readonly client: RecordingClient }[] = [];
  const pool = new UpstreamPool({
    idleMs: 1000,
    makeClient: (_server, request) => {
      const client = new RecordingClient(() => ({}), {
        ...(request.era === 'legacy' ? legacy : {}),
        protocol: { era: request.era ?? 'modern' },
      });
      made.push({ request, client });
      return client;
    },
  });
  return { pool, made };
};

const legacyUser = (id: string) => {
  const client = clientOf('2025-11-25', { sampling: {} });
  const session = sessionOf(client, id);
  return { call: callOf('tools/call', {}, { client, session }), session };
};

describe('who shares a connection', () => {
  it('a server without a legacy side has one for all, and is asked for that side once', async () => {
    const { pool, made } = setUpBoth({ refusal: unsupported });
    for (const id of ['a', 'b']) {
      const { facts, letGo } = await leaseLink(pool, server, legacyUser(id).call, live);
      expect(facts.era).toBe('modern');
      letGo();
    }
    expect(made.map(({ request }) => request.era)).toEqual([undefined, 'legacy']);
    expect([pool.size, pool.protocol(server.id)?.eras]).toEqual([1, ['modern']]);
  });

  it('a server of both eras gives legacy sessions legacy connections of their own', async () => {
    const { pool, made } = setUpBoth({ sessionId: 'sid' });
    for (const id of ['a', 'b', 'b']) {
      const { facts, letGo } = await leaseLink(pool, server, legacyUser(id).call, live);
      expect([facts.era, facts.pinned]).toEqual(['legacy', true]);
      letGo();
    }
    expect(made.map(({ request }) => request.era)).toEqual([undefined, 'legacy', 'legacy']);
    expect(pool.protocol(server.id)?.eras).toEqual(['legacy', 'modern']);
  });

  it('requests outside a session and modern ones use the modern side', async () => {
    const { pool, made } = setUpBoth({ sessionId: 'sid' });
    for (const client of [clientOf('2025-11-25'), clientOf('2026-07-28')]) {
      const { facts, letGo } = await leaseLink(pool, server, callOf('tools/call', {}, { client }), live);
      expect(facts.era).toBe('modern');
      letGo();
    }
    expect(made).toHaveLength(1);
  });

  it('a legacy side without sessions cannot ask, so it serves those who cannot be asked', async () => {
    const { pool, made } = setUpBoth({});
    const plain = clientOf('2025-11-25');
    const eras: string[] = [];
    for (const call of [legacyUser('a').call, callOf('x', {}, { client: plain, session: sessionOf(plain, 'p') })]) {
      const { facts, letGo } = await leaseLink(pool, server, call, live);
      eras.push(facts.era);
      letGo();
    }
    expect(eras).toEqual(['modern', 'legacy']);
    // The first try was with the session of the first client, which does not need it.
    expect([made.length, made[1]?.client.disposed, pool.size]).toEqual([3, 1, 2]);
  });

  it('a failure that has nothing to do with eras is told', async () => {
    const { pool } = setUpBoth({ refusal: new McpConnectionError('UPSTREAM_REFUSED', 'nobody is there') });
    await expect(leaseLink(pool, server, legacyUser('a').call, live)).rejects.toThrow('nobody is there');
  });

  it('a new connection of a session is told the level that its client asked for', async () => {
    const { pool, made } = setUp('legacy', 'streamable_http', 'sid');
    const { call, session } = legacyUser('a');
    session.logLevel = 'debug';
    (await leaseLink(pool, server, call, live)).letGo();
    expect(made[1]?.client.asked).toMatchObject([{ method: 'logging/setLevel', params: { level: 'debug' } }]);
  });

  it('a stateful server has one per session, with the client’s capabilities, until the session ends', async () => {
    const { pool, made } = setUp('legacy', 'streamable_http', 'sid');
    const [a, b] = [legacyUser('a'), legacyUser('b')];
    (await leaseLink(pool, server, a.call, live)).letGo();
    (await leaseLink(pool, server, b.call, live)).letGo();
    expect(made.map(({ request }) => request.capabilities)).toEqual([undefined, { sampling: {} }, { sampling: {} }]);
    expect(pool.size).toBe(3);
    a.session.end();
    expect([pool.size, made[1]?.client.disposed]).toEqual([2, 1]);
    expect(() => made[2]?.client.handlers.get('*')?.({ method: 'roots/list', params: {}, signal: live })).toThrow(
      'asked',
    );
    expect(made[2]?.client.handlers.get('*')?.({ method: 'ping', params: {}, signal: live })).toEqual({});
  });

  it('a legacy server without sessions is shared by clients with the same capabilities', async () => {
    const { pool, made } = setUp('legacy', 'streamable_http');
    for (const id of ['a', 'b']) (await leaseLink(pool, server, legacyUser(id).call, live)).letGo();
    (await leaseLink(pool, server, callOf('x'), live)).letGo();
    expect(made.map(({ request }) => request.capabilities)).toEqual([undefined, { sampling: {} }]);
  });

  it('follows what the operator said', async () => {
    const { pool, made } = setUp('modern', 'streamable_http');
    const perAgent = { ...server, config: { ...server.config, sharing: 'per-agent' } } as typeof server;
    const of = (agent: string) =>
      callOf('x', {}, { client: { ...clientOf('2026-07-28'), caller: { principal: 'p', agent } } });
    for (const agent of ['one', 'two', 'one']) (await leaseLink(pool, perAgent, of(agent), live)).letGo();
    // The first of the three found out what the server is.
    expect(made).toHaveLength(3);
  });

  it('on a pipe, a client that can be asked gets a connection of its own while it is busy', async () => {
    const { pool } = setUp('legacy', 'stdio');
    const call = callOf('x', {}, { client: clientOf('2026-07-28', { elicitation: {} }) });
    const [one, two] = [await leaseLink(pool, server, call, live), await leaseLink(pool, server, call, live)];
    expect(one.link).not.toBe(two.link);
    one.letGo();
    expect((await leaseLink(pool, server, call, live)).link).toBe(one.link);
  });

  it('has an end: the idle longest goes, and nobody’s session does', async () => {
    const made: RecordingClient[] = [];
    const pool = new UpstreamPool({
      idleMs: 1000,
      maxLinks: 1,
      makeClient: () => {
        const client = new RecordingClient();
        made.push(client);
        return client;
      },
    });
    pool.link(server).hold()();
    const letGo = pool.link(sampleServer('t', 2)).hold();
    expect(made[0]?.disposed).toBe(1);
    expect(() => pool.link(sampleServer('u', 3))).toThrow('limit of connections');
    letGo();
    await pool.close();
  });
});

describe('what is asked of a connection on behalf of its users', () => {
  it('resources are subscribed by the first and given up by the last, in either era', async () => {
    const { pool, made } = setUp('legacy', 'streamable_http');
    const { resources } = pool.link(server);
    await resources.add('x://1', live);
    await resources.add('x://1', live);
    await resources.remove('x://1');
    await resources.remove('x://1');
    await resources.remove('x://1');
    expect(made[0]?.client.asked.map(({ method }) => method)).toEqual(['resources/subscribe', 'resources/unsubscribe']);
    const modern = setUp('modern', 'streamable_http');
    const watch = modern.pool.link(server).resources;
    await watch.add('x://1', live);
    expect([watch.size, modern.made[0]?.client.asked[0]?.method]).toEqual([1, 'subscriptions/listen']);
    watch.close();
    expect(watch.size).toBe(0);
  });

  it('are said again to a server that was restarted', async () => {
    const { pool, made } = setUp('legacy', 'streamable_http');
    const link = pool.link(server);
    await link.ready(live);
    await link.resources.add('x://1', live);
    await link.logLevel.atLeast('info', live);
    await link.logLevel.atLeast('error', live);
    made[0]?.request.onOpened?.();
    await expect
      .poll(() => made[0]?.client.asked.map(({ method }) => method))
      .toEqual(['resources/subscribe', 'logging/setLevel', 'resources/subscribe', 'logging/setLevel']);
  });
});
