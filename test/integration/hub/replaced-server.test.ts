import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeServer, type FakeServerOptions } from '@plugboard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_PATIENCE } from '../../../packages/plugboard/src/settings/patience-settings.js';
import { hubCall } from '../../support/hub-call.js';
import { offeringServer } from '../../support/offering-server.js';
import { officialClientsAt } from '../../support/official-clients.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

/** Another version of a server behind the same address, which announces nothing. */

let home: string;
let hub: RealHub | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-replaced-'));
});
afterEach(async () => {
  await hub?.close();
  hub = undefined;
  await rm(home, { recursive: true, force: true });
});

const start = async (revalidateMs?: number): Promise<RealHub> => {
  const patience = { ...DEFAULT_PATIENCE, ...(revalidateMs === undefined ? {} : { revalidateMs }) };
  hub = await startRealHub({ settings: { home, patience } });
  return hub;
};
const register = (server_url: string) =>
  hubCall(hub?.url ?? '', 'POST', '/v1/mcp-servers', {
    server_name: 'one',
    config: { mcp_server_type: 'streamable_http', server_url },
  });
const names = async (): Promise<readonly string[]> => {
  const { json } = await hubCall(hub?.url ?? '', 'GET', '/servers/one/tools');
  return (json as readonly { readonly name: string }[]).map(({ name }) => name);
};
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const PATIENTLY = { timeout: 20_000, interval: 100 };

describe.each(['legacy', 'modern'] as const)('a %s server that was replaced is noticed', (era) => {
  it.each(['SDK 1.x', 'SDK 2.x, legacy', 'SDK 2.x, modern'])(
    'when it does not know a tool that %s calls twice',
    async (client) => {
      await using server = await offeringServer(era);
      server.results.set('tools/list', { tools: [tool('old')] });
      server.results.set('tools/call', { content: [] });
      const { url } = await start();
      await register(server.url);
      const clients = await officialClientsAt(`${url}/servers/one/mcp`);
      const caller = clients.find(({ name }) => name.startsWith(client));
      await caller?.ask('tools/call', { name: 'old', arguments: {} });
      server.results.set('tools/list', { tools: [tool('new')] });
      server.results.set('tools/call', { isError: true, content: [{ type: 'text', text: 'Tool old not found' }] });
      await caller?.ask('tools/call', { name: 'old', arguments: {} });
      await expect.poll(names, PATIENTLY).toEqual(['new']);
      for (const each of clients) await each[Symbol.asyncDispose]();
    },
  );

  it('behind a restart of the hub', async () => {
    await using server = await offeringServer(era);
    server.results.set('tools/list', { tools: [tool('old')] });
    await start();
    await register(server.url);
    expect(await names()).toEqual(['old']);
    await hub?.close();
    server.results.set('tools/list', { tools: [tool('new')] });
    await start();
    await expect.poll(names, PATIENTLY).toEqual(['new']);
  });

  it('after the interval at the latest', async () => {
    await using server = await offeringServer(era);
    server.results.set('tools/list', { tools: [tool('old')] });
    await start(1000);
    await register(server.url);
    server.results.set('tools/list', { tools: [tool('new')] });
    await expect.poll(names, PATIENTLY).toEqual(['new']);
  });
});

it('a server that comes back as another version is noticed with the next call', async () => {
  const version = (options: FakeServerOptions) => fakeServer({ name: 'one', ...options });
  const first = version({ version: '1', tools: ['echo', 'add'] });
  const listener = await first.listenHttp();
  await start();
  await register(listener.url);
  await hubCall(hub?.url ?? '', 'POST', '/servers/one/tools/echo', { text: 'a' });
  await first.close();
  const second = version({ version: '2', tools: ['echo', { name: 'fresh', result: 'x' }] });
  await second.listenHttp({ port: Number(new URL(listener.url).port) });
  await hubCall(hub?.url ?? '', 'POST', '/servers/one/tools/echo', { text: 'a' });
  await expect.poll(names, PATIENTLY).toEqual(['echo', 'fresh']);
  await second.close();
});
