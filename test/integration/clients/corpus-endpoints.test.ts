import type { ToolDefinition } from '@plugboard/contract';
import { gradeTool, repairDefinition } from '@plugboard/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../../packages/plugboard/src/settings/settings.js';
import { hubCallWith } from '../../support/hub-call.js';
import { offeringServer, type OfferingServer } from '../../support/offering-server.js';
import {
  officialClientsAt,
  officialClientsOver,
  officialSseClient,
  type OfficialClient,
} from '../../support/official-clients.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { corpusServers, type CorpusServer } from '../../support/tool-corpus.js';

/** Every tool of the corpus and the broken ones behind one hub: each official client lists them, wherever it comes in. */

const ONE_BY_ONE = 'one-by-one';
const TOOLSET = 'everything';

let hub: RealHub;
let corpus: readonly CorpusServer[];
let single: OfferingServer;
const upstreams: OfferingServer[] = [];
const ids = new Map<string, string>();

const admin = (method: string, path: string, body?: unknown) => hubCallWith(hub.url, hub.key)(method, path, body);

const register = async (server_name: string, server_url: string): Promise<void> => {
  const config = { mcp_server_type: 'streamable_http', server_url };
  const { status, json } = await admin('POST', '/v1/mcp-servers', { server_name, config });
  expect({ status, json }).toMatchObject({ status: 200 });
  ids.set(server_name, (json as { readonly id: string }).id);
};

const grades = new Map<ToolDefinition, ReturnType<typeof gradeTool>>();
const gradeOf = (tool: ToolDefinition): ReturnType<typeof gradeTool> => {
  const grade = grades.get(tool) ?? gradeTool(tool);
  grades.set(tool, grade);
  return grade;
};
const isOffered = (tool: ToolDefinition): boolean => gradeOf(tool).status !== 'INVALID';

const namesFor = async (client: OfficialClient): Promise<readonly string[]> =>
  ((await client.ask('tools/list')) as { readonly tools: readonly { readonly name: string }[] }).tools.map(
    ({ name }) => name,
  );

/** What each client lists; a client that refuses fails by its name. */
const listed = async (clients: readonly OfficialClient[]): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    await Promise.all(clients.map(async (client) => [client.name, (await namesFor(client)).length] as const)),
  );

const eachLists = (clients: readonly OfficialClient[], count: number): Readonly<Record<string, number>> =>
  Object.fromEntries(clients.map(({ name }) => [name, count]));

const closing = async (clients: readonly OfficialClient[], use: () => Promise<void>): Promise<void> => {
  try {
    await use();
  } finally {
    for (const client of clients) await client[Symbol.asyncDispose]();
  }
};

beforeAll(async () => {
  hub = await startRealHub({ settings: { guard: { ...DEFAULTS.guard, quarantine: 'off' } } });
  corpus = await corpusServers();
  for (const [index, { name, tools }] of corpus.entries()) {
    const upstream = await offeringServer(index % 2 === 0 ? 'legacy' : 'modern');
    upstreams.push(upstream);
    upstream.results.set('tools/list', { tools });
    await register(name, upstream.url);
  }
  single = await offeringServer('legacy');
  upstreams.push(single);
  single.results.set('tools/list', { tools: [] });
});
afterAll(async () => {
  await hub.close();
  for (const upstream of upstreams) await upstream[Symbol.asyncDispose]();
});

describe('all tools of the corpus together', () => {
  const count = (): number => corpus.flatMap(({ tools }) => tools.filter(isOffered)).length;

  it('are more than a thousand and a half', () => {
    expect(count()).toBeGreaterThan(1500);
  });

  it('are listed at /mcp', async () => {
    const clients = await officialClientsAt(`${hub.url}/mcp`);
    await closing(clients, async () => expect(await listed(clients)).toEqual(eachLists(clients, count())));
  });

  it('are listed at /sse', async () => {
    const clients = [await officialSseClient(`${hub.url}/sse`)];
    await closing(clients, async () => expect(await listed(clients)).toEqual(eachLists(clients, count())));
  });

  it('are listed over pipes', async () => {
    const clients = await officialClientsOver('pipes', (streams, signal) => hub.serveStdio(streams, signal));
    await closing(clients, async () => expect(await listed(clients)).toEqual(eachLists(clients, count())));
  });

  it('are listed in a toolset', async () => {
    const entries = corpus.flatMap(({ name, tools }) =>
      tools.filter(isOffered).map((tool) => ({ server_id: ids.get(name), upstream_name: tool.name })),
    );
    expect(await admin('POST', '/v1/toolsets', { name: TOOLSET, entries })).toMatchObject({ status: 200 });
    const clients = await officialClientsAt(`${hub.url}/toolsets/${TOOLSET}/mcp`);
    await closing(clients, async () => expect(await listed(clients)).toEqual(eachLists(clients, entries.length)));
  });
});

it('every server of the corpus is listed by itself, by its own endpoints', async () => {
  const overPipes = (server: string) =>
    officialClientsOver(server, (streams, signal) => hub.serveStdio(streams, signal, { server }));
  for (const [index, { name, tools }] of corpus.entries()) {
    // Pipes and HTTP+SSE carry the same list: every tenth server is enough to see that.
    const clients = [
      ...(await officialClientsAt(`${hub.url}/servers/${name}/mcp`)),
      ...(index % 10 === 0 ? [await officialSseClient(`${hub.url}/servers/${name}/sse`)] : []),
      ...(index % 10 === 0 ? await overPipes(name) : []),
    ];
    const count = tools.filter(isOffered).length;
    await closing(clients, async () => expect(await listed(clients)).toEqual(eachLists(clients, count)));
  }
});

it('every tool that needs a repair, or is withheld, is listed one by one', async () => {
  await register(ONE_BY_ONE, single.url);
  const clients = [
    ...(await officialClientsAt(`${hub.url}/servers/${ONE_BY_ONE}/mcp`)),
    await officialSseClient(`${hub.url}/servers/${ONE_BY_ONE}/sse`),
  ];
  const odd = corpus.flatMap(({ tools }) =>
    tools.filter((tool) => {
      const grade = gradeOf(tool);
      return grade.status === 'INVALID' || repairDefinition(tool, grade).definition !== tool;
    }),
  );
  expect(odd.length).toBeGreaterThan(30);
  await closing(clients, async () => {
    for (const tool of odd) {
      single.results.set('tools/list', { tools: [tool] });
      await admin('POST', `/v1/mcp-servers/${ids.get(ONE_BY_ONE)}/sync`);
      const counts = eachLists(clients, isOffered(tool) ? 1 : 0);
      expect({ tool: tool.name, ...(await listed(clients)) }).toEqual({ tool: tool.name, ...counts });
    }
  });
});
