/// <reference lib="esnext.disposable" />
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { McpClient } from '@plugboard/client';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { textOf } from './rig.js';

/** A server that is written with the official SDK, and knows nothing of us. */
const officialServer = (): McpServer => {
  const server = new McpServer(
    { name: 'official', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.registerTool(
    'greet',
    { description: 'Greets.', inputSchema: z.object({ name: z.string() }), annotations: { readOnlyHint: true } },
    ({ name }) => ({ content: [{ type: 'text', text: `Hello ${name}` }] }),
  );
  server.registerResource('note', 'test://note', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'a note' }] }));
  server.registerPrompt('ask', { argsSchema: z.object({ what: z.string() }) }, ({ what }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: what } }],
  }));
  return server;
};

const open = async (legacy: 'stateless' | 'reject') => {
  const handler = createMcpHandler(officialServer, { legacy });
  const nodeHandler = toNodeHandler(handler);
  const http = createServer(
    (request, response) => void nodeHandler(request as Parameters<typeof nodeHandler>[0], response),
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
};

describe.each([
  ['modern alone', 'reject', undefined, 'modern'],
  ['both eras, found out', 'stateless', undefined, 'modern'],
  ['both eras, the old one demanded', 'stateless', 'legacy', 'legacy'],
] as const)("the official SDK's server, %s", (_what, legacy, era, expected) => {
  test('is listed, called and read', async () => {
    await using server = await open(legacy);
    await using client = new McpClient({ config: { mcp_server_type: 'streamable_http', server_url: server.url }, era });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['greet']);
    expect(client.protocol?.era).toBe(expected);
    expect(textOf(await client.callTool('greet', { name: 'Ada' }))).toBe('Hello Ada');
    expect(await client.readResource('test://note')).toMatchObject({ contents: [{ text: 'a note' }] });
    expect(await client.getPrompt('ask', { what: 'why?' })).toMatchObject({
      messages: [{ content: { text: 'why?' } }],
    });
    await expect(client.callTool('absent')).rejects.toMatchObject({ kind: 'protocol', rpc: { code: -32602 } });
  });
});
