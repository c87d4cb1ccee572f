import { deferred } from '@plugboard/base';
import { afterEach, expect, it } from 'vitest';
import type { Gateway } from '../gateway.js';
import { MemoryKeeping } from '../test-support/memory-keeping.js';
import { openEndpoints } from '../test-support/open-endpoints.js';
import { SessionSeal } from './session-seal.js';
import { readState } from './session-state.js';
import type { Recorded } from '../test-support/recording-client.js';
import type { UpstreamLink } from '../connection/upstream-link.js';

const gateways: Gateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

/** A hub on these kept sessions. */
const hubOn = (keeping: MemoryKeeping, answer?: (asked: Recorded) => unknown) => {
  const endpoints = openEndpoints(answer, {}, undefined, undefined, keeping);
  gateways.push(endpoints.gateway);
  return endpoints;
};

const status = async (hub: ReturnType<typeof openEndpoints>, session: Record<string, string>, path?: string) =>
  (await hub.post(hub.rpc('ping'), session, path)).response.statusCode;

/** A session that a hub opened which is gone. */
const left = async (keeping: MemoryKeeping) => {
  const hub = hubOn(keeping);
  const session = await hub.open();
  await hub.gateway.close();
  return session;
};

it('continues a session of an earlier hub, for all requests that come at once', async () => {
  const keeping = new MemoryKeeping();
  const session = await left(keeping);
  const next = hubOn(keeping);
  expect(await Promise.all([1, 2, 3].map(() => status(next, session)))).toEqual([200, 200, 200]);
  expect(next.gateway.sessionCount()).toBe(1);
  const stream = next.send('/mcp', { method: 'GET', headers: session });
  await expect.poll(() => stream.text()).toContain('notifications/tools/list_changed');
});

it('continues none at another endpoint, none that is unknown, none that expired', async () => {
  const keeping = new MemoryKeeping();
  const session = await left(keeping);
  const next = hubOn(keeping);
  expect(await status(next, session, '/servers/files/mcp')).toBe(404);
  expect(await status(next, { 'mcp-session-id': crypto.randomUUID() })).toBe(404);
  expect(await status(next, { 'mcp-session-id': 'no id of ours' })).toBe(404);
  for (const [key, kept] of keeping.sessions) keeping.sessions.set(key, { ...kept, idleMs: 1e12 });
  expect(await status(next, session)).toBe(404);
});

it('says that the store fails, instead of that the session is over', async () => {
  const keeping = new MemoryKeeping();
  const session = await left(keeping);
  const next = hubOn(keeping);
  keeping.failure = new Error('no store');
  expect(await status(next, session)).not.toBe(404);
  keeping.failure = undefined;
  expect(await status(next, session)).toBe(200);
});

it('ends a continued session for good', async () => {
  const keeping = new MemoryKeeping();
  const session = await left(keeping);
  const next = hubOn(keeping);
  const deleted = await next.ended(next.send('/mcp', { method: 'DELETE', headers: session }));
  expect(deleted.response.statusCode).toBe(200);
  expect(await status(next, session)).toBe(404);
  await expect.poll(() => keeping.sessions.size).toBe(0);
  expect(await status(hubOn(keeping), session)).toBe(404);
});

/** What a hub still holds: users of its links, and resources that it watches. */
const heldBy = ({ upstream }: ReturnType<typeof openEndpoints>) => {
  const links = new Set<UpstreamLink>();
  const link = upstream.link.bind(upstream);
  upstream.link = (...args) => {
    const one = link(...args);
    links.add(one);
    return one;
  };
  return () => [...links].reduce((sum, { users, resources }) => sum + users + resources.size, 0);
};

const RESOURCES = { resources: Array.from({ length: 20 }, (_, at) => ({ uri: `x://${at}`, name: `${at}` })) };
const answerWith = ({ method }: Recorded): unknown => (method === 'resources/list' ? RESOURCES : {});

/** A session with subscriptions that a hub opened which is gone. */
const leftSubscribed = async (keeping: MemoryKeeping) => {
  const hub = hubOn(keeping, answerWith);
  const session = await hub.open();
  for (const { uri } of RESOURCES.resources) await hub.post(hub.rpc('resources/subscribe', { uri }), session);
  await hub.gateway.close();
  return session;
};

it.each(['resources/list', 'resources/subscribe'])(
  'holds nothing for a continued session that ends before the server answers %s',
  async (slow) => {
    const keeping = new MemoryKeeping();
    const session = await leftSubscribed(keeping);
    const gate = deferred<undefined>();
    const asked: string[] = [];
    const next = hubOn(keeping, async (one) => {
      asked.push(one.method);
      if (one.method === slow) await gate.promise;
      return answerWith(one);
    });
    const held = heldBy(next);
    expect(await status(next, session)).toBe(200);
    await expect.poll(() => asked).toContain(slow);
    await next.ended(next.send('/mcp', { method: 'DELETE', headers: session }));
    gate.resolve(undefined);
    await expect.poll(held).toBe(0);
    // Nothing is asked for the session any more.
    expect(asked.filter((method) => method === 'resources/subscribe').length).toBeLessThanOrEqual(8);
  },
);

it('subscribes a continued session again, to at most eight resources at a time', async () => {
  const keeping = new MemoryKeeping();
  const session = await leftSubscribed(keeping);
  let [running, most, done] = [0, 0, 0];
  const next = hubOn(keeping, async (one) => {
    if (one.method !== 'resources/subscribe') return answerWith(one);
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    done += 1;
    return {};
  });
  expect(await status(next, session)).toBe(200);
  await expect.poll(() => done).toBe(20);
  expect(most).toBeLessThanOrEqual(8);
});

it('keeps no stream of a request whose id is very long', async () => {
  const keeping = new MemoryKeeping();
  const gate = deferred<undefined>();
  const hub = hubOn(keeping, async ({ options }) => {
    options.onProgress?.({ progress: 1 }, { progressToken: 1, progress: 1 });
    await gate.promise;
    return { content: [] };
  });
  const headers = await hub.open();
  const params = { name: 'files__read', arguments: {}, _meta: { progressToken: 1 } };
  const [long, short] = ['i'.repeat(257), 'i'.repeat(256)].map((id) =>
    hub.send('/mcp', { headers, body: hub.rpc('tools/call', params, id) }),
  );
  const interrupted = async () => {
    const id = headers['mcp-session-id'] ?? '';
    const seal = new SessionSeal(id);
    const kept = await keeping.load(seal.key);
    return (
      kept &&
      readState(id, kept, seal)
        ?.readPast()
        .interrupted.map(([, failure]) => JSON.parse(failure) as unknown)
    );
  };
  for (const call of [long, short]) await expect.poll(() => call?.text()).toContain('notifications/progress');
  await expect.poll(interrupted).toMatchObject([{ id: 'i'.repeat(256) }]);
  gate.resolve(undefined);
  for (const call of [long, short]) await expect.poll(() => call?.response.writableEnded).toBe(true);
});
