// The same with @modelcontextprotocol/client (2.x); `modern` as an argument pins the revision 2026-07-28.
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { serveCalls } from './serve-calls.mjs';

const options = process.argv[2] === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {};

await serveCalls({
  open: async ({ url, transport, headers, command }) => {
    const client = new Client({ name: 'sdk-2', version: '1.0.0' }, options);
    const Http = transport === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
    await client.connect(
      url === undefined
        ? new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: 'ignore' })
        : new Http(new URL(url), { requestInit: { headers } }),
    );
    return client;
  },
  call: (client, call, more) => client.callTool(call, more),
});
