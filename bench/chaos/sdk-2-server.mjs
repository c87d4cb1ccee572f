// A server of the modern era made with @modelcontextprotocol/server (2.x), over HTTP or stdio: `node sdk-2-server.mjs http`.
// `mark` must not run twice, and `count` reports progress.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const inputSchema = z.object({ text: z.string() });
const answer = (text) => ({ content: [{ type: 'text', text }] });

const makeServer = () => {
  const server = new McpServer({ name: 'sdk-2', version: '1.0.0' });
  server.registerTool(
    'mark',
    { description: 'Marks a text', inputSchema, annotations: { readOnlyHint: false, idempotentHint: false } },
    async ({ text }) => answer(text),
  );
  server.registerTool(
    'count',
    { description: 'Counts', inputSchema, annotations: { readOnlyHint: true } },
    async ({ text }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
      }
      return answer(text);
    },
  );
  return server;
};

if (process.argv[2] === 'stdio') {
  serveStdio(makeServer, { legacy: 'reject' });
} else {
  const handle = toNodeHandler(createMcpHandler(makeServer, { legacy: 'reject' }));
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}
