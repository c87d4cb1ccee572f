import { fakeServer } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

interface Registered {
  readonly id: string;
  readonly sync: { readonly error?: { readonly code: string; readonly hint?: string } };
}

const register = async (hub: RealHub, server_name: string, config: object): Promise<Registered> =>
  (await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config })).json as Registered;

const http = (url: string) => ({ mcp_server_type: 'streamable_http', server_url: url });

const toolCount = async (hub: RealHub, id: string): Promise<number> =>
  ((await hubCall(hub.url, 'GET', `/v1/mcp-servers/${id}/tools`)).json as readonly unknown[]).length;

const startHub = async (): Promise<RealHub> => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const server = fakeServer({ tools: ['echo'] });
  onTestFinished(() => server.close());
  await register(hub, 'real', http((await server.listenHttp()).url));
  return hub;
};

const resync = async (hub: RealHub, id: string): Promise<unknown> =>
  (await hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${id}/refresh`)).json;

it.each(['/mcp', '/sse'])('hubs that are servers of each other at %s are told so', async (path) => {
  const type = path === '/sse' ? 'sse' : 'streamable_http';
  const [one, other] = [await startHub(), await startHub()];
  const there = await register(one, 'other', { mcp_server_type: type, server_url: other.url + path });
  expect(there.sync.error).toBeUndefined();
  const before = await toolCount(one, there.id);
  const back = await register(other, 'one', { mcp_server_type: type, server_url: one.url + path });
  expect(back.sync.error).toMatchObject({
    code: 'LOOP_DETECTED',
    hint: expect.stringContaining('leads back') as string,
  });
  expect(await toolCount(other, back.id)).toBe(0);
  await resync(one, there.id);
  expect([before, await toolCount(one, there.id)]).toEqual([1, 1]);
});

it('a circle of three hubs stops growing', async () => {
  const hubs = [await startHub(), await startHub(), await startHub()] as const;
  const ids: string[] = [];
  const next = (index: number): RealHub => hubs[((index + 1) % 3) as 0 | 1 | 2];
  for (const [index, hub] of hubs.entries()) ids.push((await register(hub, 'next', http(`${next(index).url}/mcp`))).id);
  const counts = async (): Promise<readonly number[]> =>
    Promise.all(hubs.map((hub, index) => toolCount(hub, ids[index] ?? '')));
  const syncAll = async (): Promise<void> => {
    for (const [index, hub] of hubs.entries()) await resync(hub, ids[index] ?? '');
  };
  await syncAll();
  await syncAll();
  const settled = await counts();
  await syncAll();
  await syncAll();
  expect(await counts()).toEqual(settled);
});

it('hubs may share single servers with each other', async () => {
  const [one, other] = [await startHub(), await startHub()];
  const there = await register(one, 'theirs', http(`${other.url}/servers/real/mcp`));
  const back = await register(other, 'theirs', http(`${one.url}/servers/real/mcp`));
  expect([there.sync.error, back.sync.error]).toEqual([undefined, undefined]);
  expect(((await resync(one, there.id)) as { error?: unknown }).error).toBeUndefined();
  expect(await toolCount(one, there.id)).toBe(1);
});
