import { fakeServer, rawHttpClient, type FakeServer, type JsonObject } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

let hub: RealHub;
let files: FakeServer;
let weather: FakeServer;
const ids: Record<string, string> = {};

const schema = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const asText = (args: JsonObject) => JSON.stringify(args);

beforeAll(async () => {
  files = fakeServer({
    name: 'files',
    tools: [
      {
        name: 'read',
        description: 'Reads a file.',
        inputSchema: schema({ path: { type: 'string' }, root: { type: 'string' } }, ['path', 'root']),
        annotations: { readOnlyHint: true },
        handler: asText,
      },
      {
        name: 'write',
        description: 'Writes a file.',
        inputSchema: schema({ path: { type: 'string' } }),
        handler: asText,
      },
    ],
  });
  weather = fakeServer({
    name: 'weather',
    eras: 'modern',
    tools: [
      {
        name: 'forecast',
        description: 'Says what the weather will be.',
        inputSchema: schema({ city: { type: 'string' }, days: { type: 'integer' } }, ['city']),
        handler: asText,
      },
    ],
  });
  hub = await startRealHub();
  for (const [name, server] of Object.entries({ files, weather })) {
    const { url } = await server.listenHttp();
    const config = { mcp_server_type: 'streamable_http', server_url: url };
    const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: name, config });
    ids[name] = (json as { readonly id: string }).id;
  }
});
afterAll(async () => {
  await hub.close();
  await files.close();
  await weather.close();
});

const entry = (server: string, upstream_name: string, more: object = {}) => ({
  server_id: ids[server],
  upstream_name,
  ...more,
});
const make = async (toolset: object): Promise<{ readonly status: number; readonly json: unknown }> =>
  hubCall(hub.url, 'POST', '/v1/toolsets', toolset);

type Result = { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
interface Endpoint {
  readonly names: () => Promise<readonly string[]>;
  readonly tools: () => Promise<readonly { readonly name: string; readonly inputSchema: JsonObject }[]>;
  readonly call: (name: string, args: JsonObject) => Promise<Result>;
}

const endpoint = async (toolset: string, era: 'legacy' | 'modern'): Promise<Endpoint> => {
  const client = rawHttpClient(`${hub.url}/toolsets/${encodeURIComponent(toolset)}/mcp`, { era });
  if (era === 'legacy') await client.initialize();
  const tools: Endpoint['tools'] = async () => {
    const { response } = await client.request('tools/list');
    const list = response?.result as { readonly tools: Awaited<ReturnType<Endpoint['tools']>> } | undefined;
    return list?.tools ?? [];
  };
  return {
    tools,
    names: async () => (await tools()).map(({ name }) => name),
    call: async (name, args) => {
      const { response } = await client.request('tools/call', { name, arguments: args });
      return (response?.result ?? response?.error) as Result;
    },
  };
};
const textOf = (result: Result): unknown => JSON.parse(result.content?.[0]?.text ?? 'null') as unknown;

describe.each(['legacy', 'modern'] as const)('a toolset for a %s client', (era) => {
  it('offers curated tools of several servers, and sends what the servers want', async () => {
    const name = `curated ${era}`;
    await make({
      name,
      entries: [
        entry('files', 'read', { name: 'open', preset_arguments: { root: '/data' } }),
        entry('weather', 'forecast', { hidden_arguments: ['days'] }),
      ],
    });
    const { names, tools, call } = await endpoint(name, era);
    expect(await names()).toEqual(['open', 'weather__forecast']);
    expect((await tools())[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    });
    expect(textOf(await call('open', { path: 'a', root: '/etc' }))).toEqual({ path: 'a', root: '/data' });
    expect(textOf(await call('weather__forecast', { city: 'Oslo', days: 9 }))).toEqual({ city: 'Oslo' });
    expect(await call('files__write', {})).toMatchObject({ data: { code: 'TOOL_NOT_FOUND' } });
  });

  it('offers only what reads, when so wanted', async () => {
    const name = `reading ${era}`;
    await make({ name, entries: [entry('files', 'read'), entry('files', 'write')], read_only: true });
    expect(await (await endpoint(name, era)).names()).toEqual(['files__read']);
  });

  it("speaks a provider's dialect to the model and the server's own to the server", async () => {
    const name = `strict ${era}`;
    await make({ name, entries: [entry('weather', 'forecast')], provider: 'openai-strict' });
    const { tools, call } = await endpoint(name, era);
    expect((await tools())[0]?.inputSchema).toMatchObject({ additionalProperties: false, required: ['city', 'days'] });
    expect(textOf(await call('weather__forecast', { city: 'Oslo', days: null }))).toEqual({ city: 'Oslo' });
    const before = weather.counters.executed('forecast');
    const refused = await call('weather__forecast', { city: 7, days: null });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.content?.[0]?.text).toContain('/city');
    expect(weather.counters.executed('forecast')).toBe(before);
  });

  it('can be searched instead of listed', async () => {
    const name = `searched ${era}`;
    const { json } = await make({
      name,
      entries: [entry('files', 'read'), entry('files', 'write'), entry('weather', 'forecast', { name: 'outlook' })],
      exposure: 'search',
    });
    expect(json).toMatchObject({ offer: { tokens: { saved: expect.any(Number) } } });
    const { names, call } = await endpoint(name, era);
    expect(await names()).toEqual(['search_tools', 'describe_tool', 'call_tool']);
    const found = await call('search_tools', { query: 'weather', limit: 1 });
    expect(found.content?.[0]?.text).toMatch(/^outlook: /u);
    expect(textOf(await call('describe_tool', { name: 'outlook' }))).toMatchObject({ name: 'outlook' });
    expect(textOf(await call('call_tool', { name: 'outlook', arguments: { city: 'Oslo' } }))).toEqual({ city: 'Oslo' });
    expect(await call('call_tool', { arguments: {} })).toMatchObject({ isError: true });
  });
});

describe('a toolset', () => {
  it('that does not exist is not found', async () => {
    const answer = await rawHttpClient(`${hub.url}/toolsets/nobody/mcp`).request('tools/list');
    expect(answer.status).toBe(404);
  });

  it('changes at once for whoever uses it, and says what became of each entry', async () => {
    await make({ name: 'changing', entries: [entry('files', 'read')] });
    const { names } = await endpoint('changing', 'legacy');
    expect(await names()).toEqual(['files__read']);
    const { json } = await hubCall(hub.url, 'PATCH', '/v1/toolsets/changing', {
      entries: [entry('files', 'write', { name: 'put' }), entry('files', 'never')],
    });
    expect(json).toMatchObject({
      offer: {
        entries: [
          { state: 'offered', name: 'put' },
          { state: 'missing', reason: expect.any(String) },
        ],
      },
    });
    expect(await names()).toEqual(['put']);
  });
});
