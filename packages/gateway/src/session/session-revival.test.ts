import { afterEach, expect, it } from 'vitest';
import type { Gateway } from '../gateway.js';
import { MemoryKeeping } from '../test-support/memory-keeping.js';
import { openEndpoints } from '../test-support/open-endpoints.js';

const gateways: Gateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

/** A hub on these kept sessions. */
const hubOn = (keeping: MemoryKeeping) => {
  const endpoints = openEndpoints(undefined, {}, undefined, undefined, keeping);
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
  for (const [key, kept] of keeping.sessions) keeping.sessions.set(key, { ...kept, usedAt: 1 });
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
