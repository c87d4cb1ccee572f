import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyScope } from '../test-support/call.js';
import { sampleServer } from '../test-support/catalogue.js';
import { RecordingClient } from '../test-support/recording-client.js';
import type { ClientSession } from '../call/mcp-call.js';
import { type LinkIdentity, SHARED } from './link-identity.js';
import type { UpstreamLink } from './upstream-link.js';
import { UpstreamPool } from './upstream-pool.js';

const server = sampleServer('a', 1);

const manual = (): { promise: Promise<void>; resolve: () => void } => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

const setUp = () => {
  const clients: RecordingClient[] = [];
  const pool = new UpstreamPool({
    idleMs: 1000,
    makeClient: () => {
      const client = new RecordingClient();
      clients.push(client);
      return client;
    },
  });
  return { pool, clients };
};

describe('UpstreamPool', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('shares one connection among callers and closes it when idle', async () => {
    const { pool, clients } = setUp();
    await Promise.all([
      pool.use(server, (client) => client.request('a')),
      pool.use(server, (client) => client.request('b')),
    ]);
    expect(clients).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(clients[0]?.disposed).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(clients[0]?.disposed).toBe(1);
    expect(pool.peek(server.id)).toBeUndefined();
    await pool.use(server, (client) => client.request('c'));
    expect(clients).toHaveLength(2);
  });

  it('counts from the last use, with one timer however often it is used', async () => {
    const { pool, clients } = setUp();
    for (let use = 0; use < 5; use += 1) {
      await pool.use(server, (client) => client.request('a'));
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(400);
    }
    await vi.advanceTimersByTimeAsync(599);
    expect(clients.map((client) => client.disposed)).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(clients.map((client) => client.disposed)).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not close what is in use, however long it takes', async () => {
    const { pool, clients } = setUp();
    const { promise, resolve } = manual();
    const work = pool.use(server, () => promise);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(clients[0]?.disposed).toBe(0);
    resolve();
    await work;
  });

  it('replaces the connection when the config changed', async () => {
    const { pool, clients } = setUp();
    await pool.use(server, (client) => client.request('a'));
    const moved = { ...server, config: { ...server.config, command: 'other' } as typeof server.config };
    await pool.use(moved, (client) => client.request('b'));
    expect(clients.map((client) => client.disposed)).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(clients.map((client) => client.disposed)).toEqual([1, 1]);
  });

  it('tells which server changed its tools, until asked to stop', async () => {
    const { pool, clients } = setUp();
    const heard: string[] = [];
    const stop = pool.onToolsChanged((id) => heard.push(id));
    await pool.use(server, (client) => client.request('a'));
    clients[0]?.emit('notifications/tools/list_changed');
    clients[0]?.emit('notifications/message');
    stop();
    clients[0]?.emit('notifications/tools/list_changed');
    expect(heard).toEqual([server.id]);
  });

  it('releases everything it holds', async () => {
    const { pool, clients } = setUp();
    await pool.use(server, (client) => client.request('a'));
    await pool.use(sampleServer('b', 2), (client) => client.request('b'));
    await pool.release(server.id);
    await pool.release(server.id);
    expect(clients.map((client) => [client.disposed, client.listeners])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    await pool.close();
    expect(clients.map((client) => [client.disposed, client.listeners])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  describe('what can be done without', () => {
    const clientSession = (id: string, capabilities = {}) => {
      const listeners: (() => void)[] = [];
      const session = {
        id,
        client: { capabilities } as ClientSession['client'],
        endpoint: emptyScope,
        view: undefined,
        logLevel: undefined,
        channel: {} as ClientSession['channel'],
        onEnd: (listener: () => void) => void listeners.push(listener),
      };
      return { session, end: () => listeners.forEach((listener) => listener()), listeners };
    };
    const stdioPool = (maxLinks?: number) => {
      const clients: RecordingClient[] = [];
      const pool = new UpstreamPool({
        idleMs: 100_000,
        maxLinks,
        makeClient: () => {
          const client = new RecordingClient(() => ({}), { protocol: { transport: 'stdio' } });
          client.connected = true;
          clients.push(client);
          return client;
        },
      });
      return { pool, clients };
    };
    const ofSession = (session: ClientSession): LinkIdentity => ({ key: `session ${session.id}`, session });
    const touch = (link: UpstreamLink): void => {
      link.hold()();
      vi.advanceTimersByTime(1);
    };

    it('are processes that only read lists, then the one unused for longest; never one that is used', async () => {
      const { pool } = stdioPool();
      const [one, two] = [clientSession('1'), clientSession('2')];
      const [first, second] = [pool.link(server, ofSession(one.session)), pool.link(server, ofSession(two.session))];
      const lists = pool.link(server);
      for (const link of [first, second, lists]) touch(link);
      const letGo = lists.hold();
      expect(pool.idlest()).toMatchObject({ rank: 1, since: first.usedAt });
      letGo();
      expect(pool.idlest()).toMatchObject({ rank: 0, since: lists.usedAt });
      await pool.idlest()?.evict();
      await pool.idlest()?.evict();
      expect(pool.find(server.id, 'session 1')).toBeUndefined();
      await second.resources.add('x://watched', new AbortController().signal);
      expect(pool.idlest()).toBeUndefined();
      await pool.close();
    });

    it('a session that lost its connection ends the next one, and listens for its end once', async () => {
      const { pool, clients } = stdioPool();
      const { session, end, listeners } = clientSession('1');
      for (let round = 0; round < 3; round += 1) {
        touch(pool.link(server, ofSession(session)));
        if (round < 2) await pool.idlest()?.evict();
      }
      expect(listeners).toHaveLength(1);
      end();
      await vi.advanceTimersByTimeAsync(0);
      expect(clients.map(({ disposed }) => disposed)).toEqual([1, 1, 1]);
    });

    it('the connection that read the lists is given to a client, once, and only before it served anybody', async () => {
      const { pool } = stdioPool();
      const { session } = clientSession('1');
      const lists = pool.link(server);
      touch(lists);
      const able = { ...ofSession(session), capabilities: { roots: {} } };
      expect(pool.adopt(server, SHARED, able)).toBeUndefined();
      const unkeep = lists.keep();
      expect(pool.adopt(server, SHARED, ofSession(session))).toBeUndefined();
      unkeep();
      expect(pool.adopt(server, SHARED, ofSession(session))).toBe(lists);
      expect([pool.peek(server.id), pool.find(server.id, 'session 1')]).toEqual([undefined, lists]);
      const called = pool.link(server);
      called.noteCall();
      expect(pool.adopt(server, SHARED, ofSession(clientSession('2').session))).toBeUndefined();
      await pool.close();
    });

    it('at the limit of connections, those of sessions go last', async () => {
      const { pool } = stdioPool(2);
      const { session } = clientSession('1');
      touch(pool.link(server, ofSession(session)));
      touch(pool.link(server));
      pool.link(sampleServer('b', 2));
      expect(pool.peek(server.id)).toBeUndefined();
      const letGo = pool.link(sampleServer('b', 2)).hold();
      pool.link(sampleServer('c', 3)).hold();
      expect(pool.find(server.id, 'session 1')).toBeUndefined();
      expect(() => pool.link(server)).toThrow('limit of connections');
      letGo();
      await pool.close();
    });
  });
});
