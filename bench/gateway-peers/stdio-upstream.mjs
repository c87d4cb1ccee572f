// The same server as upstream.mjs over stdin and stdout, for peers that reach nothing else.
import { createInterface } from 'node:readline';

const tool = {
  name: 'echo',
  description: 'A tool of the benchmark, described in one sentence of the usual length.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, count: { type: 'integer' } } },
};
const info = { name: 'bench', version: '1.0.0' };
const content = [{ type: 'text', text: 'x'.repeat(200) }];

const resultOf = ({ method, params }) => {
  switch (method) {
    case 'initialize':
      return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: info };
    case 'tools/list':
      return { tools: [tool] };
    case 'tools/call':
      return { content };
    case 'ping':
      return {};
    default:
      return undefined;
  }
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined || message.method === undefined) return;
  const result = resultOf(message);
  const body = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body })}\n`);
});
