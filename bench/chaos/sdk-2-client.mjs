// The same with @modelcontextprotocol/client (2.x).
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { serveCalls } from './serve-calls.mjs';

await serveCalls({
  open: async ({ url, transport, command }) => {
    const client = new Client({ name: 'sdk-2', version: '1.0.0' });
    const Http = transport === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
    await client.connect(
      url === undefined
        ? new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: 'ignore' })
        : new Http(new URL(url)),
    );
    return client;
  },
  call: (client, call, options) => client.callTool(call, options),
});
