// A stdio server that starts as fast as Node does: `node tiny-stdio-server.mjs <legacy|modern> [file]`.
// `note` adds its process and its key to the file at once and answers after `ms`.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [era = 'legacy', file] = process.argv.slice(2);
const MODERN = '2026-07-28';
const schema = { type: 'object', properties: { key: { type: 'string' }, ms: { type: 'integer' } } };
const tools = ['note'].map((name) => ({ name, inputSchema: schema }));
const capabilities = { tools: {} };
const serverInfo = { name: 'tiny', version: '1.0.0' };
const meta = { _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } };

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answer = (id, result) =>
  write({ id, result: era === 'modern' ? { resultType: 'complete', ...meta, ...result } : result });
const refuse = (id, code, message, data) => write({ id, error: { code, message, data } });

const call = (id, { name, arguments: given = {} }) => {
  if (name === 'note' && file !== undefined) appendFileSync(file, `${process.pid} ${given.key}\n`);
  const text = `noted ${given.key}`;
  const done = () => answer(id, { content: [{ type: 'text', text }] });
  if (given.ms > 0) setTimeout(done, given.ms);
  else done();
};

const methods = {
  initialize: (id, { protocolVersion }) => answer(id, { protocolVersion, capabilities, serverInfo }),
  ping: (id) => answer(id, {}),
  'server/discover': (id) => answer(id, { supportedVersions: [MODERN], capabilities, ttlMs: 0, cacheScope: 'public' }),
  'tools/list': (id) => answer(id, { tools, ...(era === 'modern' ? { ttlMs: 0, cacheScope: 'public' } : {}) }),
  'tools/call': call,
};
const unknown = era === 'modern' ? ['initialize', 'ping'] : ['server/discover'];

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const known = unknown.includes(method) ? undefined : methods[method];
  if (known === undefined) refuse(id, -32_601, `Method not found: ${method}`);
  else known(id, params);
});
