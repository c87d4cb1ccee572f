import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../../packages/plugboard/src/settings/settings.js';
import { hubCallWith } from '../../support/hub-call.js';
import { PROMPT_RESULTS, READ_RESULTS, TOOL_RESULTS } from '../../support/malformed-results.js';
import { offeringServer, type OfferingServer } from '../../support/offering-server.js';
import {
  officialClientsAt,
  officialClientsOver,
  officialSseClient,
  type OfficialClient,
} from '../../support/official-clients.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

/** One server that says something malformed, beside a sound one: no official client may lose anything but that. */

const INPUT = { type: 'object', properties: { a: { type: 'string' } } };
/** All servers over two pipes, as `plugboard stdio` serves them. */
const PIPES = 'pipes';
const sound = { name: 'sound', description: 'Sound.', inputSchema: INPUT };

/** Members of a tool beside its name. */
const TOOLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['an empty input schema', { inputSchema: {} }],
  ['no input schema', {}],
  ['an input schema that is null', { inputSchema: null }],
  ['a boolean input schema', { inputSchema: true }],
  ['an input schema for an array', { inputSchema: { type: 'array' } }],
  ['a list as root type', { inputSchema: { type: ['object', 'null'] } }],
  ['boolean properties', { inputSchema: { type: 'object', properties: { a: true, b: false } } }],
  ['a property that is a number', { inputSchema: { type: 'object', properties: { a: 5 } } }],
  ['properties as a list', { inputSchema: { type: 'object', properties: [] } }],
  ['"required" as text', { inputSchema: { type: 'object', required: 'a' } }],
  ['a "$schema" that is a number', { inputSchema: { ...INPUT, $schema: 7 } }],
  ['a description that is no text', { inputSchema: INPUT, description: 7 }],
  ['a description that is null', { inputSchema: INPUT, description: null }],
  ['a title that is null', { inputSchema: INPUT, title: null }],
  ['a title that is an object', { inputSchema: INPUT, title: { en: 'x' } }],
  ['an output schema for an array', { inputSchema: INPUT, outputSchema: { type: 'array', items: { type: 'string' } } }],
  ['an output schema without a type', { inputSchema: INPUT, outputSchema: { properties: { a: true } } }],
  ['an output schema that is null', { inputSchema: INPUT, outputSchema: null }],
  ['a boolean output schema', { inputSchema: INPUT, outputSchema: true }],
  [
    'an output schema with a bad pattern',
    { inputSchema: INPUT, outputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } },
  ],
  [
    'an output schema that refers to nothing',
    { inputSchema: INPUT, outputSchema: { type: 'object', properties: { a: { $ref: '#/nope' } } } },
  ],
  ['an output schema of draft 4', { inputSchema: INPUT, outputSchema: { type: 'object', id: 'x' } }],
  ['annotations that are null', { inputSchema: INPUT, annotations: null }],
  ['hints that are text', { inputSchema: INPUT, annotations: { readOnlyHint: 'yes', title: 1 } }],
  ['icons that are no list', { inputSchema: INPUT, icons: 'x.png' }],
  ['an icon without a source', { inputSchema: INPUT, icons: [{ sizes: 'any' }] }],
  ['an unknown kind of task support', { inputSchema: INPUT, execution: { taskSupport: 'maybe' } }],
  ['"_meta" that is a list', { inputSchema: INPUT, _meta: [] }],
];
/** These cannot be called by anybody, and are withheld with a reason. */
const WITHHELD: ReadonlySet<string> = new Set([
  'no input schema',
  'an input schema that is null',
  'a boolean input schema',
  'an input schema for an array',
  'a property that is a number',
  'properties as a list',
  '"required" as text',
]);

const ODD_PROMPTS = [
  { name: 'fine' },
  { name: 'odd_description', description: 7 },
  { name: 'odd_arguments', arguments: 'a' },
  { name: 'odd_argument', arguments: [{ name: 'a', required: 'yes', description: null }, {}, null] },
  { name: 7 },
  null,
];
const ODD_RESOURCES = [
  { uri: 'odd://1', name: 'fine' },
  { uri: 'odd://2', title: 'untitled' },
  { uri: 'odd://3', name: null, mimeType: null, size: 'big', annotations: { audience: ['robot'] } },
  { name: 'nowhere' },
  'odd',
];
const ODD_TEMPLATES = [
  { uriTemplate: 'odd://{id}', name: 'fine' },
  { uriTemplate: 'odd2://{id}', description: null },
  { name: 'none' },
];

let hub: RealHub;
let neighbour: OfferingServer;
beforeAll(async () => {
  hub = await startRealHub({ settings: { guard: { ...DEFAULTS.guard, quarantine: 'off' } } });
  neighbour = await offeringServer('legacy');
  neighbour.results.set('tools/list', { tools: [sound] });
  await register('neighbour', neighbour.url);
});
afterAll(async () => {
  await hub.close();
  await neighbour[Symbol.asyncDispose]();
});

const admin = (method: string, path: string, body?: unknown) => hubCallWith(hub.url, hub.key)(method, path, body);

const register = async (server_name: string, server_url: string): Promise<string> => {
  const config = { mcp_server_type: 'streamable_http', server_url };
  const { json } = await admin('POST', '/v1/mcp-servers', { server_name, config });
  return (json as { readonly id: string }).id;
};

const namesOf = (result: unknown, member: string): readonly string[] =>
  (result as Readonly<Record<string, readonly { readonly name: string }[]>>)[member]?.map(({ name }) => name) ?? [];

describe.each(['legacy', 'modern'] as const)('a %s server', (era) => {
  const server = `odd-${era}`;
  let odd: OfferingServer;
  let id: string;
  const clients = new Map<string, readonly OfficialClient[]>();
  const at = (path: string): readonly OfficialClient[] => clients.get(path) ?? [];

  /** A URI that two servers list leads to one of them, so each era has its own. */
  const ofEra = (item: unknown): unknown =>
    typeof item === 'object' && item !== null && 'uri' in item
      ? { ...item, uri: String(item.uri).replace('odd', `odd-${era}`) }
      : item;

  const list = async (tools: readonly unknown[]): Promise<unknown> => {
    odd.results.set('tools/list', { tools });
    return (await admin('POST', `/v1/mcp-servers/${id}/sync`)).json;
  };

  beforeAll(async () => {
    odd = await offeringServer(era);
    odd.results.set('tools/list', { tools: [sound, { ...sound, name: 'odd' }] });
    odd.results.set('prompts/list', { prompts: ODD_PROMPTS, nextCursor: null });
    odd.results.set('resources/list', { resources: ODD_RESOURCES.map((item) => ofEra(item)), nextCursor: null });
    odd.results.set('resources/templates/list', { resourceTemplates: ODD_TEMPLATES });
    odd.results.set('tools/call', { content: [] });
    id = await register(server, odd.url);
    const entries = ['sound', 'odd'].map((upstream_name) => ({ server_id: id, upstream_name }));
    await admin('POST', '/v1/toolsets', { name: `set-${era}`, entries });
    for (const path of ['/mcp', `/servers/${server}/mcp`, `/toolsets/set-${era}/mcp`]) {
      clients.set(path, await officialClientsAt(hub.url + path));
    }
    for (const path of ['/sse', `/servers/${server}/sse`]) clients.set(path, [await officialSseClient(hub.url + path)]);
    clients.set(PIPES, await officialClientsOver('pipes', (streams, signal) => hub.serveStdio(streams, signal)));
  });
  afterAll(async () => {
    for (const each of [...clients.values()].flat()) await each[Symbol.asyncDispose]();
    await odd[Symbol.asyncDispose]();
  });

  const everybodyLists = async (isOffered: boolean): Promise<void> => {
    for (const [path, those] of clients) {
      for (const client of those) {
        const names = namesOf(await client.ask('tools/list'), 'tools');
        const prefix = path.startsWith('/servers/') ? '' : `${server}__`;
        const neighbours = ['/mcp', '/sse', PIPES].includes(path) ? ['neighbour__sound'] : [];
        expect({ client: client.name, names }).toMatchObject({
          names: expect.arrayContaining([`${prefix}sound`, ...neighbours]),
        });
        expect([client.name, names.includes(`${prefix}odd`)]).toEqual([client.name, isOffered]);
      }
    }
    const rest = (await admin('GET', `/servers/${server}/tools`)).json as readonly { readonly name: string }[];
    expect(rest.map(({ name }) => name)).toEqual(isOffered ? ['sound', 'odd'] : ['sound']);
  };

  it.each(TOOLS)('that lists a tool with %s', async (what, members) => {
    const report = await list([sound, { name: 'odd', ...members }]);
    const isOffered = !WITHHELD.has(what);
    if (!isOffered) {
      expect(report).toMatchObject({
        skipped: [{ name: 'odd', reasons: expect.arrayContaining([expect.anything()]) }],
      });
    }
    await everybodyLists(isOffered);
    const { json } = await admin('GET', `/v1/mcp-servers/${id}/tools`);
    const kept = (json as readonly Record<string, unknown>[]).find(({ upstream_name }) => upstream_name === 'odd');
    expect(kept?.['input_schema']).toEqual(members['inputSchema']);
  });

  it('that lists all of these together', async () => {
    await list([
      sound,
      null,
      7,
      {},
      { name: 7 },
      ...TOOLS.map(([, members], index) => ({ name: `t${index} odd`, ...members })),
    ]);
    const offered = TOOLS.filter(([what]) => !WITHHELD.has(what)).length;
    for (const client of at(`/servers/${server}/mcp`)) {
      expect(namesOf(await client.ask('tools/list'), 'tools')).toHaveLength(offered + 1);
    }
    for (const client of [...at('/mcp'), ...at('/sse'), ...at(PIPES)]) {
      expect(namesOf(await client.ask('tools/list'), 'tools')).toContain('neighbour__sound');
    }
  });

  it('whose prompts, resources and templates are malformed', async () => {
    for (const path of ['/mcp', '/sse', PIPES, `/servers/${server}/mcp`, `/servers/${server}/sse`]) {
      const prefix = path.startsWith('/servers/') ? '' : `${server}__`;
      for (const client of at(path)) {
        const prompts = namesOf(await client.ask('prompts/list'), 'prompts');
        for (const name of ['fine', 'odd_description', 'odd_arguments', 'odd_argument']) {
          expect(prompts).toContain(prefix + name);
        }
        expect(namesOf(await client.ask('resources/list'), 'resources')).toEqual(
          expect.arrayContaining(['fine', 'untitled']),
        );
        expect(namesOf(await client.ask('resources/templates/list'), 'resourceTemplates')).toEqual(
          expect.arrayContaining(['fine', 'odd2://{id}']),
        );
      }
    }
  });

  it.each(TOOL_RESULTS)('whose tool answers with %s', async (_, result) => {
    await list([sound, { ...sound, name: 'odd' }]);
    odd.results.set('tools/call', result);
    for (const [path, those] of clients) {
      const name = path.startsWith('/servers/') ? 'odd' : `${server}__odd`;
      for (const client of those) {
        // The first call opens the connection, so that the second can take the fast path.
        for (let time = 0; time < 2; time += 1) {
          expect(await client.ask('tools/call', { name, arguments: {} })).toHaveProperty('content');
        }
      }
    }
  });

  it.each(READ_RESULTS)('whose resource is read as %s', async (_, result) => {
    odd.results.set('resources/read', result);
    for (const client of [...at('/mcp'), ...at('/sse'), ...at(PIPES), ...at(`/servers/${server}/mcp`)]) {
      expect(await client.ask('resources/read', { uri: `odd-${era}://1` })).toHaveProperty('contents');
    }
  });

  it.each(PROMPT_RESULTS)('whose prompt has %s', async (_, result) => {
    odd.results.set('prompts/get', result);
    for (const path of ['/mcp', '/sse', PIPES, `/servers/${server}/mcp`]) {
      const name = path.startsWith('/servers/') ? 'fine' : `${server}__fine`;
      for (const client of at(path)) {
        expect(await client.ask('prompts/get', { name })).toHaveProperty('messages');
      }
    }
  });
});
