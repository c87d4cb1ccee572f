/// <reference lib="esnext.disposable" />
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ListToolsRequest } from '@modelcontextprotocol/sdk/types.js';
import { agentFromHub, createMcpToolsFromAgent } from '@plugboard/agent';
import type { Agent, ServerView, ToolView } from '@plugboard/contract';
import { fakeServer } from '@plugboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub } from '../../support/real-hub.js';

/** A hub with two servers that have a tool of one name, and a toolset that gives one of them another name. */
const openHub = async () => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const server_ids: string[] = [];
  for (const server_name of ['north', 'south']) {
    const server = fakeServer({ tools: ['add'] });
    onTestFinished(() => server.close());
    const config = { mcp_server_type: 'streamable_http', server_url: (await server.listenHttp()).url };
    const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config });
    server_ids.push((json as ServerView).id);
  }
  const [north = '', south = ''] = server_ids;
  const tools = (await hubCall(hub.url, 'GET', `/v1/mcp-servers/${north}/tools`)).json as readonly ToolView[];
  const tagged = await hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${north}/tools/${tools[0]?.id ?? ''}`, {
    tags: ['public', 'sums'],
  });
  expect(tagged.status).toBe(200);
  await hubCall(hub.url, 'POST', '/v1/toolsets', {
    name: 'reading',
    entries: [{ server_id: south, upstream_name: 'add', name: 'plus' }],
  });
  const agent = (await hubCall(hub.url, 'POST', '/v1/agents', { name: 'helper', server_ids })).json as Agent;
  const made = await hubCall(hub.url, 'POST', '/v1/keys', { name: 'helper', role: 'agent', agent_id: agent.id });
  return { hub, north, south, key: (made.json as { key: string }).key };
};

test('tools of a hub have the metadata of their own servers', async () => {
  const { hub, north, south, key } = await openHub();
  await using all = await createMcpToolsFromAgent(agentFromHub({ url: hub.url, key, folderPath: '/operations' }));
  expect(Object.fromEntries(all.tools.map(({ name, metadata }) => [name, metadata]))).toMatchObject({
    north__add: {
      tool_type: 'mcp',
      display_name: 'add',
      folder_path: '/operations',
      slug: 'north',
      server_id: north,
      server_name: 'north',
      tags: ['mcp:north', 'public', 'sums'],
      grade: { status: expect.stringMatching(/COMPLIANT/u) as string },
    },
    south__add: { display_name: 'add', slug: 'south', server_id: south, server_name: 'south', tags: ['mcp:south'] },
  });
  const outcome = await all.tools.find(({ name }) => name === 'south__add')?.call({ a: 2, b: 3 });
  expect(JSON.stringify(outcome?.content)).toContain('5');
  await using some = await createMcpToolsFromAgent(agentFromHub({ url: hub.url, key: hub.key, toolset: 'reading' }));
  expect(some.tools.map(({ name, metadata }) => [name, metadata.display_name, metadata.server_id])).toEqual([
    ['plus', 'add', south],
  ]);
});

test('a list has origins only for those who ask', async () => {
  const { hub } = await openHub();
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${hub.key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', hub.url), { requestInit }));
  try {
    const origins = async (params?: ListToolsRequest['params']): Promise<unknown> =>
      (await client.listTools(params))._meta?.['dev.plugboard/origins'];
    expect(await origins()).toBeUndefined();
    expect(await origins({ _meta: { 'dev.plugboard/origins': true } })).toMatchObject({
      north__add: { server_name: 'north', name: 'add' },
      south__add: { server_name: 'south' },
    });
    expect(await origins()).toBeUndefined();
  } finally {
    await client.close();
  }
});
