// Calls tools with the client of @modelcontextprotocol/sdk (1.x) for `plugboard chaos --client`: calls come as lines on stdin,
// results go as lines to stdout. One client for all calls, used as its documentation shows; nothing is repeated here.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serveCalls } from './serve-calls.mjs';

await serveCalls({
  open: async ({ url, transport, headers, command }) => {
    const client = new Client({ name: 'sdk-1', version: '1.0.0' });
    const Http = transport === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
    await client.connect(
      url === undefined
        ? new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: 'ignore' })
        : new Http(new URL(url), { requestInit: { headers } }),
    );
    return client;
  },
  call: (client, call, options) => client.callTool(call, undefined, options),
});
