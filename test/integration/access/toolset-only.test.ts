import type { ServerView } from '@plugboard/contract';
import { fakeServer } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { hubCall, hubCallWith } from '../../support/hub-call.js';
import { startRealHub } from '../../support/real-hub.js';

it('an agent that was given a toolset reaches its tools with their presets only', async () => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const server = fakeServer({ tools: ['echo', 'add'] });
  onTestFinished(() => server.close());
  const { url } = await server.listenHttp();
  const config = { mcp_server_type: 'streamable_http', server_url: url };
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'tools', config });
  const server_id = (json as ServerView).id;
  const entries = [
    { server_id, upstream_name: 'echo', name: 'say', preset_arguments: { text: 'preset' } },
    { server_id, upstream_name: 'add' },
  ];
  const toolset = await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'less', entries });
  const toolset_ids = [(toolset.json as { id: string }).id];
  const agent = await hubCall(hub.url, 'POST', '/v1/agents', { name: 'bot', toolset_ids });
  const agent_id = (agent.json as { id: string }).id;
  const key = await hubCall(hub.url, 'POST', '/v1/keys', { name: 'bot', role: 'agent', agent_id });
  const asAgent = hubCallWith(hub.url, (key.json as { key: string }).key);

  const own = { text: 'chosen by the agent' };
  const through = await asAgent('POST', '/toolsets/less/tools/say', own);
  expect([through.status, JSON.stringify(through.json)]).toEqual([200, expect.stringContaining('preset')]);
  const past = await asAgent('POST', '/servers/tools/tools/echo', own);
  expect([past.status, past.json]).toEqual([404, expect.objectContaining({ error: expect.anything() as unknown })]);
  // An entry without presets is the tool itself, and stays reachable everywhere.
  expect((await asAgent('POST', '/servers/tools/tools/add', { a: 1, b: 2 })).status).toBe(200);

  // With presets only, it may still log in to the server; this one asks for no login.
  const { id: narrow } = (
    await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'least', entries: entries.slice(0, 1) })
  ).json as { id: string };
  await hubCall(hub.url, 'PATCH', `/v1/agents/${agent_id}`, { toolset_ids: [narrow] });
  const still = await asAgent('POST', '/v1/oauth/sessions', { server_id });
  expect(still.json).not.toMatchObject({ error: { code: 'SERVER_NOT_FOUND' } });
});
