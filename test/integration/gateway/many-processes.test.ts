import { describe, expect, it } from 'vitest';
import { connectThrough, type EraClient } from '../../support/era-client.js';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { shellServer, tinyServer } from '../../support/tiny-server.js';
import { addServer } from './rig.js';

interface Processes {
  readonly running: number;
  readonly max: number;
  readonly waiting: number;
  readonly evicted: number;
}

const processesOf = async (hub: RealHub): Promise<Processes> =>
  ((await hubCall(hub.url, 'GET', '/ready')).json as { processes: Processes }).processes;

const startWith = (max: number, waitMs = 60_000): Promise<RealHub> =>
  startRealHub({ settings: { processes: { max, waitMs, sandbox: 'optional' } } });

const addMany = async (hub: RealHub, count: number): Promise<readonly string[]> => {
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  await Promise.all(names.map((name) => addServer(hub, name, shellServer())));
  return names;
};

const connectMany = (hub: RealHub, count: number): Promise<readonly EraClient[]> =>
  Promise.all(Array.from({ length: count }, () => connectThrough('legacy', hub.url, '')));

/** Every client calls every server at once; the answers of the servers, without those that are right. */
const failures = async (clients: readonly EraClient[], names: readonly string[]): Promise<readonly string[]> => {
  const calls = clients.flatMap((client, each) =>
    names.map((name) => {
      const key = `${each} to ${name}`;
      return client.call(`${name}__note`, { key }).then(
        (text) => (text === `noted ${key}` ? [] : [text]),
        (thrown: unknown) => [String(thrown)],
      );
    }),
  );
  return (await Promise.all(calls)).flat();
};

describe('more stdio servers than processes', () => {
  it.each([
    [40, 1, 12],
    [70, 1, 24],
    [20, 5, 12],
  ])('%d servers and %d legacy clients with %d processes: every call succeeds', async (servers, clients, max) => {
    const hub = await startWith(max);
    const names = await addMany(hub, servers);
    const connected = await connectMany(hub, clients);
    expect(await failures(connected, names)).toEqual([]);
    const { running, evicted, waiting } = await processesOf(hub);
    expect(running).toBeLessThanOrEqual(max);
    expect(evicted).toBeGreaterThanOrEqual(servers * clients - max);
    expect(waiting).toBe(0);
    for (const client of connected) await client[Symbol.asyncDispose]();
    await hub.close();
  });

  it('the process that read the lists becomes that of the first client; it is the first to go', async () => {
    const hub = await startWith(2);
    await addMany(hub, 1);
    await using first = await connectThrough('legacy', hub.url, '/servers/s0');
    expect(await first.call('count')).toBe('1');
    expect((await processesOf(hub)).running).toBe(1);
    await using other = await connectThrough('legacy', hub.url, '/servers/s0');
    // A server that was called has state: it is shared with nobody.
    expect([await other.call('count'), await first.call('count')]).toEqual(['1', '2']);
    // The list of a new server takes the place of whoever was idle longest, and gives it back first.
    await addServer(hub, 'new', shellServer());
    expect(await first.call('count')).toBe('3');
    await using able = await connectThrough('legacy', hub.url, '/servers/new', { capabilities: { roots: {} } });
    expect(await able.call('client')).toBe('probe');
    expect(await processesOf(hub)).toMatchObject({ running: 2, waiting: 0 });
    await hub.close();
  });

  it('a client whose process was ended while it was idle goes on in a new one', async () => {
    const hub = await startWith(1);
    await addMany(hub, 2);
    await using client = await connectThrough('legacy', hub.url, '');
    expect([await client.call('s0__count'), await client.call('s0__count')]).toEqual(['1', '2']);
    expect(await client.call('s1__count')).toBe('1');
    expect(await client.call('s0__count')).toBe('1');
    await hub.close();
  });

  it('a call that finds no place in time names the setting, and calls of others go on', async () => {
    const hub = await startWith(1, 200);
    await addServer(hub, 'slow', tinyServer('legacy'));
    await addServer(hub, 'quick', shellServer());
    await using client = await connectThrough('legacy', hub.url, '');
    const slow = client.call('slow__note', { key: 'x', ms: 3000 });
    await expect
      .poll(async () => (await hubCall(hub.url, 'GET', '/ready')).json)
      .toMatchObject({
        calls: { slow: { calls_running: 1 } },
      });
    await expect(client.call('quick__note', { key: 'y' })).rejects.toThrow(
      '"quick" was not started: 1 processes are running, and none became idle in time.',
    );
    expect(await slow).toBe('noted x');
    expect(await client.call('quick__note', { key: 'y' })).toBe('noted y');
    const metrics = await (await fetch(new URL('/metrics', hub.url))).text();
    expect(metrics).toContain('plugboard_children_max 1\n');
    expect(metrics).toMatch(/^plugboard_children_evicted_total [1-9]/mu);
    await hub.close();
  });
});
