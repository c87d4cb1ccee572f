// What exposure `search` saves, and how long a search takes, on the corpus of real tool lists.
// Run after a build: node bench/toolset-search.mjs
import { readdir, readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { ToolsetEndpoints } from '../packages/gateway/dist/index.js';
import { estimateTokens } from '../packages/schema/dist/index.js';

const corpus = new URL('../packages/schema/corpus/', import.meta.url);
const AT = '2026-01-01T00:00:00.000Z';
const FINE = { status: 'STRICT_COMPLIANT', reasons: [] };
const uuid = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const readCorpus = async () => {
  const files = (await readdir(corpus)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map(async (name) => JSON.parse(await readFile(new URL(name, corpus), 'utf8'))));
};

const toEntry = ({ package: name, tools }, number) => {
  const id = `mcp_server-${uuid(number)}`;
  const short = name.replaceAll(/[^A-Za-z0-9]+/gu, '_').slice(0, 20);
  const server = { id, server_name: short, config: {}, enabled: true, protocol: null, updated_at: AT };
  return {
    server,
    definitions: new Map(tools.map((tool) => [tool.name, tool])),
    tools: tools.map((tool, index) => ({
      id: `tool-${uuid(number * 10_000 + index)}`,
      server_id: id,
      upstream_name: tool.name,
      name: `${short}__${tool.name}`.slice(0, 64),
      annotations: null,
      grade: FINE,
      enabled: true,
    })),
  };
};

const toolsetOf = (name, entries) => ({
  id: `toolset-${uuid(1)}`,
  name,
  description: null,
  entries: entries.flatMap(({ server, tools }) =>
    tools.map((tool) => ({ server_id: server.id, upstream_name: tool.upstream_name })),
  ),
  read_only: false,
  provider: null,
  exposure: 'search',
  created_at: AT,
  updated_at: AT,
});

const QUERIES = ['read a file', 'create an issue', 'list pull requests', 'weather', 'run a query', 'send a message'];
const ROUNDS = 50;

const call = { client: { revision: { era: 'legacy' }, caller: { principal: 'bench' } } };

const all = (await readCorpus()).map(toEntry);
const bySize = all.toSorted((a, b) => a.tools.length - b.tools.length);
const rows = [];
for (const [label, entries] of [
  ['one server, few tools', [bySize.find(({ tools }) => tools.length >= 3)]],
  ['one server, many tools', [bySize.at(-1)]],
  ['10 servers', all.slice(0, 10)],
  [`all ${all.length} servers`, all],
]) {
  const snapshot = { version: 1, entries, toolsets: [] };
  const view = new ToolsetEndpoints({ snapshot: () => snapshot }).view(toolsetOf(label, entries));
  const search = view.listed.find(({ name }) => name === 'search_tools');
  await search.run({ query: 'warm up' }, call);
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const query of QUERIES) await search.run({ query }, call);
  }
  const each = (performance.now() - startedAt) / (ROUNDS * QUERIES.length);
  const answers = await Promise.all(QUERIES.map((query) => search.run({ query }, call)));
  const perSearch = answers.reduce((sum, { content }) => sum + estimateTokens(content[0].text), 0) / QUERIES.length;
  const { all: whole, listed, saved } = view.tokens;
  rows.push({
    what: label,
    tools: view.callable.size,
    'tokens, all': whole,
    'tokens, search': listed,
    saved: `${((saved / whole) * 100).toFixed(1)} %`,
    // what finding and reading one tool adds to a conversation, once
    'tokens, one use': Math.round(perSearch + whole / view.callable.size),
    'ms a search': each.toFixed(3),
  });
}
console.table(rows);
