// A stdio server whose tools answer as their names say: `node scripted-program.mjs <legacy|modern|both> <file>`.
// Each call that arrives is added to the file, as the line that came.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [era = 'legacy', file = ''] = process.argv.slice(2);
const MODERN = '2026-07-28';
const ODD = '{"big":12345678901234567890,"text":"caf\\u00e9 \\/","n":1.10}';
const serverInfo = { name: 'scripted', version: '1.0.0' };
const capabilities = { tools: {} };
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const isModern = (params) => params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;

const say = (line) => process.stdout.write(`${line}\n`);
const write = (message) => say(JSON.stringify({ jsonrpc: '2.0', ...message }));
const answer = ({ id, params }, result) =>
  write({ id, result: isModern(params) ? { resultType: 'complete', ...result } : result });

let held;
let asking;
const tools = {
  plain: (call) => answer(call, text('fine')),
  odd: ({ id }) => say(`{"result":{"content":[],"structuredContent":${ODD}},"jsonrpc":"2.0","id":${id}} `),
  bad: (call) => answer(call, { ...text('no'), isError: true }),
  refuses: ({ id }) => write({ id, error: { code: -32_602, message: 'bad' } }),
  task: (call) => answer(call, { task: { taskId: 't', status: 'working' } }),
  noisy: (call) => {
    const { progressToken } = call.params._meta;
    for (const progress of [1, 2, 3]) write({ method: 'notifications/progress', params: { progressToken, progress } });
    answer(call, text('done'));
  },
  stranger: (call) => {
    answer({ ...call, id: call.id + 1 }, text('not yours'));
    answer(call, text('yours'));
    answer(call, text('again'));
  },
  asks: (call) => {
    asking = call;
    write({ id: 'q', method: 'roots/list' });
  },
  page: (call) => answer(call, text('A line "with" escapes.\n'.repeat(2800))),
  large: (call) => answer(call, text('x'.repeat(600 * 1024))),
  huge: (call) => answer(call, text('x'.repeat(1_600_000))),
  slow: (call) => {
    held = call;
  },
  release: (call) => {
    answer(held, text('late'));
    answer(call, text('released'));
  },
  dies: () => process.exit(3),
  safe: (call) => {
    if (existsSync(`${file}.died`)) return answer(call, text('second try'));
    writeFileSync(`${file}.died`, '');
    return process.exit(3);
  },
};
const list = Object.keys(tools).map((name) => ({
  name,
  inputSchema: { type: 'object' },
  ...(name === 'safe' ? { annotations: { readOnlyHint: true } } : {}),
}));

const freshness = ({ params }) => (isModern(params) ? { ttlMs: 0, cacheScope: 'public' } : {});
const methods = {
  initialize: (call) => answer(call, { protocolVersion: call.params.protocolVersion, capabilities, serverInfo }),
  'server/discover': (call) => answer(call, { supportedVersions: [MODERN], capabilities, ...freshness(call) }),
  'tools/list': (call) => answer(call, { tools: list, ...freshness(call) }),
  ping: (call) => answer(call, {}),
  'tools/call': (call) => tools[call.params.name](call),
};
const unknown = { legacy: ['server/discover'], modern: ['initialize'], both: [] }[era];
const WRITTEN_DOWN = new Set(['tools/call', 'notifications/cancelled']);

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const { id, method } = message;
  if (WRITTEN_DOWN.has(method)) appendFileSync(file, `${line}\n`);
  if (method === undefined) {
    answer(asking, text(`heard ${JSON.stringify(message.result ?? message.error.code)}`));
  } else if (id !== undefined) {
    const known = unknown.includes(method) ? undefined : methods[method];
    if (known === undefined) write({ id, error: { code: -32_601, message: 'Method not found' } });
    else known(message);
  }
});
