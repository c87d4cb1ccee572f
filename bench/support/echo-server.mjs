// A small MCP server over HTTP with one tool that gives its text back: at once, after a delay of 20 to 60 ms (`delayed`), or
// after 2 ms, and the whole server stands still for half a second in every four (`stalling`).
import { createServer } from 'node:http';
import { postListener } from './post-server.mjs';

const [, , mode] = process.argv;
const STALL_MS = 500;
const STALL_EVERY_MS = 4_000;
let calls = 0;

const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const RESULTS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'echo-server', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'echo', description: 'Gives its text back.', inputSchema: schema }] }),
  'tools/call': ({ arguments: { text } }) => ({ content: [{ type: 'text', text }] }),
};

const answer = ({ id, method, params }) => {
  const result = RESULTS[method]?.(params);
  const error = { code: -32_601, message: `There is no method ${method}.` };
  return JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
};

const server = createServer(
  postListener((message, response) => {
    if (message.id === undefined) return response.writeHead(202).end();
    const text = answer(message);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const send = () => response.writeHead(200, headers).end(text);
    if (mode === undefined || message.method !== 'tools/call') return send();
    if (mode === 'stalling') return setTimeout(send, 2);
    calls += 1;
    // Each delay as often as any other, in an order that no caller is in step with.
    return setTimeout(send, 20 + ((calls * 17) % 41));
  }),
);
if (mode === 'stalling') {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.wait(lock, 0, 0, STALL_MS), STALL_EVERY_MS);
}
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
