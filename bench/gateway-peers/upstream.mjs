// A server that costs next to nothing: it answers tools/call and what else is measured from a constant, as JSON or as a stream, in either era.
// Usage: node upstream.mjs legacy|modern json|sse [tools] [notifications before a result] [bytes of a result] [ms between notifications]
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { postListener } from '../support/post-server.mjs';

const [era = 'legacy', mode = 'json', tools = '1', notifications = '1', bytes = '200', paceMs] = process.argv.slice(2);
const list = Array.from({ length: Number(tools) }, (_, index) => ({
  name: index === 0 ? 'echo' : `tool_${index}`,
  description: 'A tool of the benchmark, described in one sentence of the usual length.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'what to say' }, count: { type: 'integer' } },
    required: ['text'],
    additionalProperties: false,
  },
}));
const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} };
const INFO = { name: 'bench', version: '1.0.0' };
const content = [
  {
    type: 'text',
    text: 'A line of a text, as tools return it.\n'.repeat(Math.ceil(Number(bytes) / 38)).slice(0, Number(bytes)),
  },
];
const envelope = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': INFO } };

const resultOf = ({ method, params }) => {
  switch (method) {
    case 'initialize':
      return era === 'legacy'
        ? { protocolVersion: params.protocolVersion, capabilities: CAPABILITIES, serverInfo: INFO }
        : undefined;
    case 'server/discover':
      return era === 'modern'
        ? {
            ...envelope,
            supportedVersions: ['2026-07-28'],
            capabilities: CAPABILITIES,
            ttlMs: 60_000,
            cacheScope: 'public',
          }
        : undefined;
    case 'tools/list':
      return era === 'modern' ? { ...envelope, tools: list, ttlMs: 60_000, cacheScope: 'public' } : { tools: list };
    case 'tools/call':
      return era === 'modern' ? { ...envelope, content } : { content };
    case 'resources/read': {
      const contents = [{ uri: params.uri, mimeType: 'text/plain', text: content[0].text }];
      return era === 'modern' ? { ...envelope, contents, ttlMs: 0, cacheScope: 'private' } : { contents };
    }
    case 'prompts/get': {
      const messages = [{ role: 'user', content: content[0] }];
      return era === 'modern' ? { ...envelope, messages } : { messages };
    }
    case 'completion/complete': {
      const completion = { values: ['one', 'two', 'three'], total: 3, hasMore: false };
      return era === 'modern' ? { ...envelope, completion } : { completion };
    }
    case 'ping':
      return era === 'legacy' ? {} : undefined;
    default:
      return undefined;
  }
};

// A list that is written once: the least that anybody can do who serves it.
const written = Buffer.from(`,"result":${JSON.stringify(resultOf({ method: 'tools/list' }))}}`);

const answerWritten = ({ id }, response) => {
  const start = `{"jsonrpc":"2.0","id":${id}`;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': start.length + written.length });
  response.cork();
  response.write(start);
  response.end(written);
  response.uncork();
};

/** One notification after the other, each with the time at which it was sent. */
const pacedProgress = async (progressToken, response) => {
  for (let progress = 1; progress <= Number(notifications); progress += 1) {
    await pause(Number(paceMs));
    const params = { progressToken, progress, message: String(process.hrtime.bigint()) };
    const told = { jsonrpc: '2.0', method: 'notifications/progress', params };
    response.write(`event: message\ndata: ${JSON.stringify(told)}\n\n`);
  }
};

const answer = async (message, response) => {
  if (message.id === undefined) {
    response.writeHead(202).end();
    return;
  }
  if (message.method === 'tools/list') {
    answerWritten(message, response);
    return;
  }
  const result = resultOf(message);
  const body =
    result === undefined
      ? { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } }
      : { jsonrpc: '2.0', id: message.id, result };
  const text = JSON.stringify(body);
  if (mode === 'sse' && message.method === 'tools/call') {
    const token = message.params?._meta?.progressToken;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (token !== undefined && paceMs !== undefined) await pacedProgress(token, response);
    const steps = token === undefined || paceMs !== undefined ? 0 : Number(notifications);
    for (let step = 1; step <= steps; step += 1) {
      const params = { progressToken: token, progress: step };
      const progress = { jsonrpc: '2.0', method: 'notifications/progress', params };
      response.write(`event: message\ndata: ${JSON.stringify(progress)}\n\n`);
    }
    response.end(`event: message\ndata: ${text}\n\n`);
    return;
  }
  response.writeHead(result === undefined && era === 'modern' ? 404 : 200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
};

const server = createServer(postListener(answer));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${server.address().port}/mcp` }));
