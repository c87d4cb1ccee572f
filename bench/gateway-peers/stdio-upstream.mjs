// The same server as upstream.mjs over stdin and stdout, in either era.
// Usage: node stdio-upstream.mjs [legacy|modern] [bytes of a result]
import { createInterface } from 'node:readline';

const [era = 'legacy', bytes = '200'] = process.argv.slice(2);
const tool = {
  name: 'echo',
  description: 'A tool of the benchmark, described in one sentence of the usual length.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, count: { type: 'integer' } } },
};
const info = { name: 'bench', version: '1.0.0' };
const content = [
  {
    type: 'text',
    text: 'A line of a text, as tools return it.\n'.repeat(Math.ceil(Number(bytes) / 38)).slice(0, Number(bytes)),
  },
];
const envelope =
  era === 'modern' ? { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': info } } : {};
const freshness = era === 'modern' ? { ttlMs: 60_000, cacheScope: 'public' } : {};

const resultOf = ({ method, params }) => {
  switch (method) {
    case 'initialize':
      return era === 'modern'
        ? undefined
        : { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: info };
    case 'server/discover':
      return era === 'modern'
        ? { ...envelope, ...freshness, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
        : undefined;
    case 'tools/list':
      return { ...envelope, ...freshness, tools: [tool] };
    case 'tools/call':
      return { ...envelope, content };
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
