// How long does a hub take for one server with many tools? `node bench/large-list.mjs [tools]` registers a server with so
// many (5,000 by default), waits until a client lists them all, and syncs again while the verdicts of providers are still
// being worked out. It prints seconds, and seconds of the processor: those tell on a busy machine, too.
// PROFILE=<directory> writes a profile of the hub there.
import { readFile } from 'node:fs/promises';
import { startBuiltHub } from './support/built-hub.mjs';
import { startPostServer } from './support/post-server.mjs';

const [count = 5000] = process.argv.slice(2).map(Number);
const CLOCK_TICKS = 100;

const text = (description) => ({ type: 'string', description });
const tool = (index) => ({
  name: `get_record_${index}`,
  title: `Get record ${index}`,
  description: `Reads record ${index} of the archive and gives back its fields. Use it when the number of the record is known.`,
  inputSchema: {
    type: 'object',
    properties: {
      id: text('The number of the record'),
      format: { type: 'string', enum: ['json', 'text', 'html'], description: 'How it is written' },
      limit: { type: 'integer', minimum: 1, maximum: 100 + index, description: 'At most so many fields' },
      fields: { type: 'array', items: { type: 'string' }, description: 'Only these fields' },
      filter: {
        type: 'object',
        description: 'Which fields',
        properties: { since: text('From this day on'), until: text('Until this day'), author: text('By this person') },
        required: ['since'],
      },
      options: {
        type: 'object',
        properties: { deep: { type: 'boolean' }, languages: { type: 'array', items: text('A language') } },
      },
    },
    required: ['id'],
  },
  ...(index % 2 === 0
    ? {
        outputSchema: {
          type: 'object',
          properties: { id: text('Its number'), size: { type: 'integer', maximum: index } },
        },
      }
    : {}),
  annotations: { readOnlyHint: true },
});

const RESULTS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'large', version: '1' },
  },
  'tools/list': { tools: Array.from({ length: count }, (_, index) => tool(index)) },
};
const answerTo = ({ id, method }) => {
  const result = RESULTS[method];
  const answer = result === undefined ? { error: { code: -32_601, message: 'no such method' } } : { result };
  return JSON.stringify({ jsonrpc: '2.0', id, ...answer });
};
const server = await startPostServer(answerTo);
const nodeArguments = process.env.PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`];
const hub = await startBuiltHub({ nodeArguments });

const processorSeconds = async () => {
  const fields = (await readFile(`/proc/${hub.pid}/stat`, 'utf8')).split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
};
const measured = async (label, work) => {
  const [began, processor] = [performance.now(), await processorSeconds()];
  const result = await work();
  const wall = (performance.now() - began) / 1000;
  console.log(`${label}: ${wall.toFixed(2)} s, processor ${((await processorSeconds()) - processor).toFixed(2)} s`);
  return result;
};
const listed = async () => (await hub.ask('GET', '/servers/large/tools')).length;

try {
  await measured(`${count} tools registered and listed`, async () => {
    await hub.ask('POST', '/v1/mcp-servers', { server_name: 'large', config: server.config });
    if ((await listed()) !== count) throw new Error('the list is not whole');
  });
  await measured('synced again while verdicts run', () => hub.ask('POST', '/v1/mcp-servers/large/sync'));
  await measured('listed again', listed);
  await measured('verdicts', async () => {
    const unjudged = async () =>
      (await hub.ask('GET', '/v1/tools?limit=1000')).filter(({ providers }) => providers === undefined).length;
    while ((await unjudged()) > 0) await new Promise((next) => setTimeout(next, 500));
  });
  await measured('synced again', () => hub.ask('POST', '/v1/mcp-servers/large/sync'));
} finally {
  await hub.close();
  server.close();
}
process.exit();
