import { McpClientError } from '@plugboard/client';
import { fakeServer, type FakeServer, type ToolSpec } from '@plugboard/testing';
import { afterEach, expect, test } from 'vitest';
import { createMcpToolsFromAgent, runCalls } from './index.js';

const open: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const serve = async (tools: readonly ToolSpec[]): Promise<{ server: FakeServer; url: string }> => {
  const server = fakeServer({ tools: [...tools] });
  open.push(server);
  return { server, url: (await server.listenHttp()).url };
};

const http = (server_url: string) => ({ mcp_server_type: 'streamable_http' as const, server_url });

test('each enabled one gets a client, and its tools have metadata', async () => {
  const [first, second] = [await serve(['echo']), await serve(['add'])];
  await using agent = await createMcpToolsFromAgent({
    name: 'bot',
    servers: [
      {
        name: 'one',
        id: 'mcp_server-1',
        slug: 'one-slug',
        folder_path: '/ops',
        tags: ['a'],
        config: http(first.url),
      },
      { name: 'two', config: http(second.url) },
      { name: 'off', enabled: false },
    ],
  });
  expect(agent.clients).toHaveLength(2);
  expect(agent.tools.map(({ name }) => name)).toEqual(['echo', 'add']);
  expect(agent.tools[0]?.metadata).toMatchObject({
    tool_type: 'mcp',
    display_name: 'echo',
    folder_path: '/ops',
    slug: 'one-slug',
    server_id: 'mcp_server-1',
    server_name: 'one',
    tags: ['a'],
    grade: { status: expect.any(String) as string },
  });
  expect(agent.tools[1]?.metadata).toMatchObject({ slug: undefined, folder_path: undefined });
});

test('the clients are released by the block, also when it throws', async () => {
  const { server, url } = await serve(['echo']);
  const use = async (): Promise<void> => {
    await using agent = await createMcpToolsFromAgent({ name: 'bot', servers: [{ name: 'one', config: http(url) }] });
    expect(agent.clients[0]?.isInitialized).toBe(true);
    throw new Error('from the block');
  };
  await expect(use()).rejects.toThrow('from the block');
  await expect.poll(() => server.counters.openConnections).toBe(0);
});

test('a server that fails releases the clients of the others', async () => {
  const { server, url } = await serve(['echo']);
  const made = createMcpToolsFromAgent({
    name: 'bot',
    servers: [
      { name: 'good', config: http(url) },
      { name: 'bad', config: http('http://127.0.0.1:1/mcp') },
    ],
  });
  await expect(made).rejects.toBeInstanceOf(McpClientError);
  await expect.poll(() => server.counters.openConnections).toBe(0);
});

test('for the model, a failure is an outcome; cancellation is thrown', async () => {
  const { server, url } = await serve(['echo', 'hang']);
  await using agent = await createMcpToolsFromAgent({ name: 'bot', servers: [{ name: 'one', config: http(url) }] });
  server.script.on('tools/call', { name: 'echo' }).always().respondError(-32603, 'disk full');
  const [done] = await runCalls(agent.tools, [{ id: '1', name: 'echo', arguments: { text: '' } }]);
  expect(done?.outcome).toMatchObject({ kind: 'failed', isError: true });
  const controller = new AbortController();
  const hanging = runCalls(agent.tools, [{ id: '2', name: 'hang', arguments: {} }], { signal: controller.signal });
  await server.execution('hang', 1);
  controller.abort(new Error('enough'));
  await expect(hanging).rejects.toThrow('enough');
});
