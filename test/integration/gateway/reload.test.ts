import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fakeServer, fakeServerCommand } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from './rig.js';

const textOf = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[])[0]?.text ?? '';
};

it('adding, changing, switching off and removing a server touches nobody else', async () => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const [bystander, before, after] = [fakeServer({ tools: ['echo', 'sleep'] }), fakeServer(), fakeServer()];
  for (const each of [bystander, before, after]) onTestFinished(() => each.close());
  const { command, args } = fakeServerCommand({ tools: ['pid', 'counter', 'sleep'] });
  await addServer(hub, 'child', { mcp_server_type: 'stdio', command, args });
  await addServer(hub, 'bystander', httpConfig((await bystander.listenHttp()).url));
  await addServer(hub, 'changing', httpConfig((await before.listenHttp()).url));
  const client = new Client({ name: 'probe', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', hub.url)));
  onTestFinished(() => client.close());
  const pid = await textOf(client, 'child__pid');
  expect(await textOf(client, 'child__counter')).toBe('1');
  expect(await textOf(client, 'bystander__echo', { text: 'a' })).toBe('a');
  expect(await textOf(client, 'changing__echo', { text: 'before' })).toBe('before');
  const sessions = bystander.sessionIds;
  const underWay = Promise.all([
    textOf(client, 'child__sleep', { ms: 1500 }),
    textOf(client, 'bystander__sleep', { ms: 1500 }),
  ]);
  await bystander.execution('sleep');

  const { json } = await hubCall(hub.url, 'GET', '/v1/mcp-servers');
  const id = (json as { id: string; server_name: string }[]).find((each) => each.server_name === 'changing')?.id;
  await addServer(hub, 'new', httpConfig((await after.listenHttp()).url));
  const config = httpConfig((await after.listenHttp()).url);
  expect((await hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${id}`, { config })).status).toBe(200);
  // The old connection goes with the old config.
  await expect.poll(() => before.sessionIds).toEqual([]);
  expect(await textOf(client, 'changing__echo', { text: 'after' })).toBe('after');
  expect(after.counters.executed('echo')).toBe(1);
  expect(await textOf(client, 'new__echo', { text: 'new' })).toBe('new');
  expect((await hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${id}`, { enabled: false })).status).toBe(200);
  await expect(textOf(client, 'changing__echo')).rejects.toThrow('changing');
  expect((await hubCall(hub.url, 'DELETE', `/v1/mcp-servers/${id}`)).status).toBeLessThan(300);
  await expect(textOf(client, 'changing__echo')).rejects.toThrow('changing__echo');

  expect(await underWay).toEqual(['awake', 'awake']);
  expect(await textOf(client, 'child__pid')).toBe(pid);
  expect(await textOf(client, 'child__counter')).toBe('2');
  expect(bystander.sessionIds).toEqual(sessions);
});
