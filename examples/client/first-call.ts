import { McpClient } from '@plugboard/client';

/** Lists the tools of a server and calls one. The client detects era, version and transport. */
export const firstCall = async (url: string): Promise<string> => {
  await using client = new McpClient({
    config: { mcp_server_type: 'streamable_http', server_url: url },
  });
  const tools = await client.listTools();
  const result = await client.callTool('echo', { text: `one of ${tools.length} tools` });
  const [first] = result.content ?? [];
  return `${client.protocol?.era} server says: ${String(first?.['text'])}`;
};
