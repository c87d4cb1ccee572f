import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleServer } from '../test-support/catalogue.js';
import { RecordingClient } from '../test-support/recording-client.js';
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
});
