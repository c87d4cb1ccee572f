// A stdio server made with the official SDK. `leak` keeps 4 KiB of each call.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const leaks = process.argv.includes('leak');
const kept = [];
const server = new McpServer({ name: 'soak', version: '1.0.0' });
server.registerTool('echo', { description: 'Echo', inputSchema: { text: z.string() } }, ({ text }) => {
  if (leaks) kept.push(Buffer.alloc(4_096, 1));
  return { content: [{ type: 'text', text }] };
});
await server.connect(new StdioServerTransport());
