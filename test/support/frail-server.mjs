// A legacy server that does not survive, or never answers, prompts/list: node frail-server.mjs <dies|silent|healthy> [port]
// Over stdio, or behind HTTP with sessions when a port is given; with port 0 it prints the one that it got.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const [mode = 'healthy', port] = process.argv.slice(2);

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { prompts: {} },
    serverInfo: { name: 'frail', version: '1.0.0' },
  }),
  ping: () => ({}),
  'prompts/list': () => ({ prompts: [] }),
};

/** The answer; undefined when there is none. */
const answerTo = ({ id, method, params }) => {
  if (id === undefined) return undefined;
  if (method === 'prompts/list' && mode === 'dies') process.exit(7);
  if (method === 'prompts/list' && mode === 'silent') return undefined;
  const result = RESULTS[method]?.(params ?? {});
  const error = { code: -32_601, message: 'Method not found' };
  return JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
};

const parsed = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
};

const sessions = new Set();

const serve = async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  const message = parsed(await text(request));
  const isOpening = message.method === 'initialize';
  const session = isOpening ? randomUUID() : request.headers['mcp-session-id'];
  if (isOpening) sessions.add(session);
  if (!sessions.has(session)) return response.writeHead(404).end();
  if (message.id === undefined) return response.writeHead(202).end();
  const answer = answerTo(message);
  // A request that nobody answers stays open.
  if (answer === undefined) return undefined;
  return response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session }).end(answer);
};

if (port === undefined) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const answer = answerTo(parsed(line));
    if (answer !== undefined) process.stdout.write(`${answer}\n`);
  });
} else {
  const server = createServer((request, response) => void serve(request, response));
  server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
}
