import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

let home: string;
let hub: RealHub;
const server = fakeServer({ tools: ['echo'] });
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-loop-'));
  hub = await startRealHub({ settings: { home } });
  const { url } = await server.listenHttp();
  const config = { mcp_server_type: 'streamable_http', server_url: url };
  await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'real', config });
});
afterAll(async () => {
  await hub.close();
  await server.close();
  await rm(home, { recursive: true, force: true });
});

it.each([
  ['streamable_http', '/mcp'],
  ['sse', '/sse'],
  ['streamable_http', '/servers/real/mcp'],
])('a hub that is registered in itself over %s at %s is told so, and offers nothing', async (type, path) => {
  const config = { mcp_server_type: type, server_url: hub.url + path };
  const name = `own${path.replaceAll('/', '-')}`;
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: name, config });
  const { id, sync } = json as { id: string; sync: { error?: { code: string } } };
  expect(sync.error).toMatchObject({ code: 'LOOP_DETECTED', hint: expect.stringContaining('hub itself') as string });
  const { json: tools } = await hubCall(hub.url, 'GET', `/v1/mcp-servers/${id}/tools`);
  expect(tools).toEqual([]);
});
