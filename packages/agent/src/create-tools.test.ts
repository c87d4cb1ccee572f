import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentDefinitionInput, PlugboardError } from '@plugboard/contract';
import { McpClientError, type SessionStore, type StoredSession } from '@plugboard/client';
import type { FakeServer, ToolSpec } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { agentFromFile, outcomeText, runCalls, ToolCallError } from './index.js';
import { createInMemory, serve } from './test-support/memory-agent.js';

const http = (server_url: string) => ({ mcp_server_type: 'streamable_http' as const, server_url });

const forecast = (properties: object, required: readonly string[] = ['city']) => ({
  name: 'get_forecast',
  description: 'Forecasts the weather.',
  inputSchema: { type: 'object', properties, required },
  handler: (args: Readonly<Record<string, unknown>>) => `forecast for ${JSON.stringify(args)}`,
});
const city = { city: { type: 'string' } };

/** The definition without what only the fake needs. */
const listedAs = ({ name, description, inputSchema }: ReturnType<typeof forecast>) => ({
  name,
  description,
  inputSchema,
});

describe('the servers of an agent', () => {
  test('each enabled one gets a client, and its tools have metadata', async () => {
    const [first, second] = [await serve(['echo']), await serve(['add'])];
    await using agent = await createInMemory({
      name: 'bot',
      servers: [
        {
          name: 'one',
          id: 'mcp_server-1',
          slug: 'one-slug',
          folder_path: '/ops',
          tags: ['a'],
          config: http(first.url),
        },
        { name: 'two', config: http(second.url) },
        { name: 'off', enabled: false },
      ],
    });
    expect(agent.clients).toHaveLength(2);
    expect(agent.tools.map(({ name }) => name)).toEqual(['echo', 'add']);
    expect(agent.tools[0]?.metadata).toMatchObject({
      tool_type: 'mcp',
      display_name: 'echo',
      folder_path: '/ops',
      slug: 'one-slug',
      server_id: 'mcp_server-1',
      server_name: 'one',
      tags: ['a'],
      grade: { status: expect.any(String) as string },
    });
    expect(agent.tools[1]?.metadata).toMatchObject({ slug: undefined, folder_path: undefined });
  });

  test('no servers, or only disabled ones, give nothing', async () => {
    await using empty = await createInMemory({ name: 'bot', servers: [] });
    await using off = await createInMemory({ name: 'bot', servers: [{ name: 'off', enabled: false }] });
    expect([empty.tools, empty.clients, off.tools, off.clients]).toEqual([[], [], [], []]);
  });

  test('a server without tools gives none, and keeps its client', async () => {
    const [bare, other] = [await serve([]), await serve(['echo'])];
    await using agent = await createInMemory({
      name: 'bot',
      servers: [
        { name: 'bare', config: http(bare.url) },
        { name: 'other', config: http(other.url) },
      ],
    });
    expect(agent.clients).toHaveLength(2);
    expect(agent.tools.map(({ name }) => name)).toEqual(['echo']);
  });

  test('each has the session store that is made for it; without one, nothing is kept', async () => {
    const kept = new Map<string, StoredSession>();
    const made: string[] = [];
    const storeOf = ({ name }: { readonly name: string }): SessionStore => {
      made.push(name);
      return {
        load: async () => kept.get(name),
        save: async (session) => void kept.set(name, session),
        clear: async () => void kept.delete(name),
      };
    };
    const [first, second] = [await serve(['echo']), await serve(['add'])];
    const agent: AgentDefinitionInput = {
      name: 'bot',
      servers: [
        { name: 'one', config: http(first.url) },
        { name: 'two', config: http(second.url) },
        { name: 'off', enabled: false, config: http(second.url) },
      ],
    };
    const tools = await createInMemory(agent, {
      client: (server) => ({ sessionStore: storeOf(server), era: 'legacy' }),
    });
    expect(made).toEqual(['one', 'two']);
    const ids = [...kept.values()].map(({ sessionId }) => sessionId);
    expect(ids).toEqual(tools.clients.map(({ sessionId }) => sessionId));
    expect(new Set(ids).size).toBe(2);
    await tools.dispose();
    expect(kept.size).toBe(0);
    await using plain = await createInMemory(agent, { client: () => ({ era: 'legacy' }) });
    expect(plain.clients.map(({ sessionId }) => typeof sessionId)).toEqual(['string', 'string']);
    expect(kept.size).toBe(0);
  });

  test('servers of one name in two folders are told apart', async () => {
    const [first, second] = [await serve(['echo']), await serve(['echo'])];
    await using agent = await createInMemory({
      name: 'bot',
      servers: [
        { name: 'crm', folder_path: '/sales', config: http(first.url) },
        { name: 'crm', folder_path: '/support', config: http(second.url) },
      ],
    });
    expect(new Set(agent.tools.map(({ name }) => name)).size).toBe(2);
    const support = agent.tools.find(({ metadata }) => metadata.folder_path === '/support');
    await support?.call({ text: 'hi' });
    expect([first, second].map(({ server }) => server.counters.executed('echo'))).toEqual([0, 1]);
  });

  test.each([
    ['no config', undefined],
    ['no URL', { mcp_server_type: 'streamable_http' as const }],
    ['no command', { mcp_server_type: 'stdio' as const, command: null }],
  ])('one with %s is an error that says so', async (_, config) => {
    const made = createInMemory({ name: 'bot', servers: [{ name: 'weather', config }] });
    await expect(made).rejects.toThrow('The server "weather" has neither a URL nor a command');
  });

  test('a mistake in an agent is named with its place', async () => {
    const agent = { name: 'bot', servers: [{ name: 'a', colour: 'red' }] } as unknown as AgentDefinitionInput;
    await expect(createInMemory(agent)).rejects.toThrow(/servers\.0/u);
  });

  test('tools of one name get the names of their servers; all names are legal', async () => {
    const [first, second] = [
      await serve(['echo']),
      await serve(['echo', { name: 'geo.find place', result: { content: [] } }]),
    ];
    await using agent = await createInMemory({
      name: 'bot',
      servers: [
        { name: 'one', config: http(first.url) },
        { name: 'two', config: http(second.url) },
      ],
    });
    expect(agent.tools.map(({ name }) => name)).toEqual(['one__echo', 'two__echo', 'geo_find_place']);
    expect(agent.tools[2]).toMatchObject({
      upstreamName: 'geo.find place',
      metadata: { display_name: 'geo.find place' },
    });
    await agent.tools[2]?.call({});
    expect(second.server.counters.executed('geo.find place')).toBe(1);
  });

  test('an agent comes from a file, with variables in its configs', async () => {
    const { url } = await serve(['echo']);
    const folder = await mkdtemp(join(tmpdir(), 'plugboard-agent-'));
    try {
      const path = join(folder, 'agent.json');
      await writeFile(path, JSON.stringify({ name: 'bot', servers: [{ name: 'one', config: http('{{ WHERE }}') }] }));
      const variables = (name: string): string | undefined => (name === 'WHERE' ? url : undefined);
      await using agent = await createInMemory(await agentFromFile(path), { variables });
      expect(agent.tools).toHaveLength(1);
      await writeFile(path, '{ nothing');
      await expect(agentFromFile(path)).rejects.toMatchObject({ code: 'INVALID_JSON' });
      await expect(agentFromFile(join(folder, 'absent'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(agentFromFile(folder)).rejects.toBeInstanceOf(PlugboardError);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('discovery', () => {
  test('dynamic: everything, or what is allowed', async () => {
    const { url } = await serve(['echo', 'add', 'fail']);
    const warnings: string[] = [];
    await using agent = await createInMemory(
      {
        name: 'bot',
        servers: [{ name: 'one', config: http(url), discovery: { mode: 'dynamic', allow: ['add', 'gone'] } }],
      },
      { onWarning: (message) => void warnings.push(message) },
    );
    expect(agent.tools.map(({ name }) => name)).toEqual(['add']);
    expect(warnings).toEqual(['The server one has no tool gone.']);
  });

  const cachedAgent = (url: string, changes: object = {}, server: object = {}): AgentDefinitionInput => ({
    name: 'bot',
    servers: [
      {
        name: 'weather',
        config: http(url),
        discovery: { mode: 'cached', tools: [listedAs(forecast(city))], ...changes },
        ...server,
      },
    ],
  });

  test('cached: no request before the first call', async () => {
    const { server, url } = await serve([forecast(city)]);
    await using agent = await createInMemory(cachedAgent(url));
    expect(server.log.methods()).toEqual([]);
    expect(outcomeText((await agent.tools[0]?.call({ city: 'Oslo' })) as never)).toBe('forecast for {"city":"Oslo"}');
    expect(server.counters.received('tools/list')).toBe(1);
  });

  test('cached without refresh: the tool is called as it is known', async () => {
    const { server, url } = await serve([forecast(city)]);
    await using agent = await createInMemory(cachedAgent(url, { refresh_schema_before_call: false }));
    await agent.tools[0]?.call({ city: 'Oslo' });
    expect(server.counters.received('tools/list')).toBe(0);
  });

  test.each([
    [
      'a new required parameter',
      { ...city, days: { type: 'integer' } },
      ['city', 'days'],
      'city (string), days (integer)',
    ],
    ['a renamed parameter', { place: { type: 'string' } }, ['place'], 'place (string)'],
    ['another type', { city: { type: 'integer' } }, ['city'], 'city (integer)'],
  ])('%s: nothing is executed, the model is told, and its next call works', async (_, properties, required, words) => {
    const { server, url } = await serve([forecast(properties, required)]);
    await using agent = await createInMemory(cachedAgent(url));
    const [tool] = agent.tools;
    const told = await tool?.call({ city: 'Oslo' });
    expect(told).toMatchObject({ kind: 'schema-changed', isError: true });
    expect(outcomeText(told as never)).toContain(`Call it again with the new parameters: ${words}.`);
    expect(server.counters.executed('get_forecast')).toBe(0);
    expect(tool?.definition.inputSchema).toMatchObject({ properties });
    const example: Readonly<Record<string, unknown>> = {
      city: properties === undefined ? 1 : 7,
      days: 2,
      place: 'Oslo',
    };
    const args = Object.fromEntries(
      Object.keys(properties).map((name) => [name, name === 'city' && 'days' in properties ? 'Oslo' : example[name]]),
    );
    expect((await tool?.call(args))?.kind).toBe('result');
    expect(server.counters.executed('get_forecast')).toBe(1);
  });

  test.each([
    ['a new optional parameter', { ...city, days: { type: 'integer' } }],
    ['another description', { city: { type: 'string', description: 'Where?' } }],
  ])('%s is no reason not to call', async (_, properties) => {
    const { server, url } = await serve([forecast(properties)]);
    await using agent = await createInMemory(cachedAgent(url));
    expect((await agent.tools[0]?.call({ city: 'Oslo' }))?.kind).toBe('result');
    expect(server.counters.executed('get_forecast')).toBe(1);
  });

  test('a tool that is gone says so', async () => {
    const { url } = await serve(['echo']);
    await using agent = await createInMemory(cachedAgent(url));
    const told = await agent.tools[0]?.call({ city: 'Oslo' });
    expect(told).toMatchObject({ kind: 'tool-removed', isError: true });
    expect(outcomeText(told as never)).toContain('Do not call it again.');
  });

  test('a list that fails is a warning, and the cached schema is used', async () => {
    const { server, url } = await serve([forecast(city)]);
    server.script.on('tools/list').always().respondError(-32603, 'no list today');
    const warnings: string[] = [];
    await using agent = await createInMemory(cachedAgent(url), {
      onWarning: (message) => void warnings.push(message),
    });
    expect((await agent.tools[0]?.call({ city: 'Oslo' }))?.kind).toBe('result');
    expect(warnings[0]).toContain('its cached schema is used');
  });

  test('fixed arguments are hidden from the model and sent; a changed tool with them is not called', async () => {
    const two = { ...city, units: { type: 'string' } };
    const { server, url } = await serve([forecast(two, ['city', 'units'])]);
    const bound = { bindings: { get_forecast: { units: 'metric' } } };
    const tools = [listedAs(forecast(two, ['city', 'units']))];
    await using agent = await createInMemory(cachedAgent(url, { tools }, bound));
    const [tool] = agent.tools;
    expect(tool?.definition.inputSchema).toMatchObject({ properties: city, required: ['city'] });
    expect(outcomeText((await tool?.call({ city: 'Oslo' })) as never)).toBe(
      'forecast for {"city":"Oslo","units":"metric"}',
    );
    server.setTools([forecast({ ...two, days: { type: 'integer' } }, ['city', 'units', 'days'])]);
    const told = await tool?.call({ city: 'Oslo' });
    expect(outcomeText(told as never)).toContain('its owner must review them');
    expect(server.counters.executed('get_forecast')).toBe(1);
  });
});

describe('results', () => {
  const answer = (result: object): ToolSpec => ({
    name: 'answer',
    inputSchema: { type: 'object', properties: {} },
    result: result as never,
  });

  const outcomeOf = async (result: object, maxResultCharacters?: number) => {
    const { url } = await serve([answer(result)]);
    await using agent = await createInMemory(
      { name: 'bot', servers: [{ name: 'one', config: http(url) }] },
      maxResultCharacters === undefined ? {} : { maxResultCharacters },
    );
    const outcome = await agent.tools[0]?.call({});
    if (outcome === undefined) throw new Error('no tool');
    return outcome;
  };

  test('parts, structured content and errors are kept; text is told once', async () => {
    const data = { sky: 'grey' };
    const twice = await outcomeOf({ content: [{ type: 'text', text: '{ "sky": "grey" }' }], structuredContent: data });
    expect([twice.structuredContent, outcomeText(twice)]).toEqual([data, '{ "sky": "grey" }']);
    const only = await outcomeOf({ content: [], structuredContent: data });
    expect(outcomeText(only)).toBe('{"sky":"grey"}');
    const failed = await outcomeOf({ content: [{ type: 'text', text: 'No such city.' }], isError: true });
    expect(failed).toMatchObject({ kind: 'result', isError: true });
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
    expect((await outcomeOf({ content: [image] })).content).toEqual([image]);
  });

  test('long text is cut, with a note, and not inside a character', async () => {
    const cut = await outcomeOf({ content: [{ type: 'text', text: 'abc🌧️def' }] }, 4);
    expect(cut.truncated).toBe(true);
    expect(cut.content).toMatchObject([
      { text: 'abc' },
      { text: expect.stringContaining('4 of 9 characters') as string },
    ]);
  });

  test('arguments that do not fit are explained to the model, not sent', async () => {
    const { server, url } = await serve([forecast(city)]);
    await using agent = await createInMemory({ name: 'bot', servers: [{ name: 'one', config: http(url) }] });
    const calls = [
      { id: '1', name: 'get_forecast', arguments: '{"city": 7}' },
      { id: '2', name: 'get_forecast', arguments: 'not JSON' },
      { id: '3', name: 'no_such_tool', arguments: '{}' },
      { id: '4', name: 'get_forecast', arguments: '{"city": "Osl' },
      { id: '5', name: 'get_forecast', arguments: '{"city": "Oslo"' },
      { id: '6', name: 'get_forecast', arguments: '{"city": "Oslo"}' },
    ];
    const done = await runCalls(agent.tools, calls);
    expect(done.map(({ outcome }) => outcome.kind)).toEqual([
      'invalid-arguments',
      'invalid-arguments',
      'unknown-tool',
      'invalid-arguments',
      'invalid-arguments',
      'result',
    ]);
    expect(server.counters.executed('get_forecast')).toBe(1);
    expect(outcomeText(done[3]?.outcome as never)).toContain('cut off');
    const refused = await runCalls(agent.tools, calls.slice(5), { approve: () => false });
    expect(outcomeText(refused[0]?.outcome as never)).toContain('did not allow');
  });

  test('a tool that only reads gets closing brackets after a complete value', async () => {
    const { server, url } = await serve([{ ...forecast(city), annotations: { readOnlyHint: true } }]);
    await using agent = await createInMemory({ name: 'bot', servers: [{ name: 'one', config: http(url) }] });
    const written = ['{"city": "Oslo"', '{"city": "Osl'];
    const calls = written.map((text) => ({ id: text, name: 'get_forecast', arguments: text }));
    const done = await runCalls(agent.tools, calls);
    expect(done.map(({ outcome }) => outcome.kind)).toEqual(['result', 'invalid-arguments']);
    expect(server.counters.executed('get_forecast')).toBe(1);
  });
});

describe('failures of a call', () => {
  const failing = async (prepare: (server: FakeServer) => void): Promise<unknown> => {
    const { server, url } = await serve(['echo']);
    await using agent = await createInMemory({ name: 'bot', servers: [{ name: 'one', config: http(url) }] });
    prepare(server);
    return await agent.tools[0]?.call({ text: 'hi' }).catch((error: unknown) => error);
  };

  test('an error of the protocol has the message of the server, and the cause', async () => {
    const error = await failing(
      (server) => void server.script.on('tools/call').always().respondError(-32603, 'disk full'),
    );
    expect(error).toBeInstanceOf(ToolCallError);
    expect(error).toMatchObject({ message: "MCP tool 'echo' failed: disk full", tool: 'echo' });
    expect((error as Error).cause).toBeInstanceOf(McpClientError);
  });

  test('a session that is lost again and again says that the connection was terminated', async () => {
    const error = await failing((server) => void server.script.on('tools/call').always().respondStatus(404));
    expect(error).toMatchObject({ code: 'SESSION_LOST', message: expect.stringContaining('Retry later.') as string });
  });

  test('a session that is lost once is no failure', async () => {
    const outcome = await failing((server) => void server.script.on('tools/call').first().respondStatus(404));
    expect(outcome).toMatchObject({ kind: 'result' });
  });

  test('for the model, a failure is an outcome; cancellation is thrown', async () => {
    const { server, url } = await serve(['echo', 'hang']);
    await using agent = await createInMemory({ name: 'bot', servers: [{ name: 'one', config: http(url) }] });
    server.script.on('tools/call', { name: 'echo' }).always().respondError(-32603, 'disk full');
    const [done] = await runCalls(agent.tools, [{ id: '1', name: 'echo', arguments: { text: '' } }]);
    expect(done?.outcome).toMatchObject({ kind: 'failed', isError: true });
    const controller = new AbortController();
    const hanging = runCalls(agent.tools, [{ id: '2', name: 'hang', arguments: {} }], { signal: controller.signal });
    await server.execution('hang', 1);
    controller.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
  });
});

describe('what cannot be used', () => {
  const unusable = { ...forecast(city), inputSchema: { type: 'string' } };

  test('a tool that the provider does not accept is left out, and said so', async () => {
    const { url } = await serve(['echo', unusable]);
    const warnings: string[] = [];
    await using agent = await createInMemory(
      { name: 'bot', servers: [{ name: 'one', config: http(url) }] },
      { onWarning: (message) => void warnings.push(message) },
    );
    expect(agent.tools.map(({ name }) => name)).toEqual(['echo']);
    expect(agent.rejected).toMatchObject([{ server: 'one', tool: 'get_forecast', reasons: [expect.anything()] }]);
    expect(warnings).toEqual(['openai does not accept the tool get_forecast of one: it is left out.']);
  });

  test('a tool that became so is not called again', async () => {
    const { server, url } = await serve([unusable]);
    const discovery = { mode: 'cached' as const, tools: [listedAs(forecast(city))] };
    await using agent = await createInMemory({
      name: 'bot',
      servers: [{ name: 'one', config: http(url), discovery }],
    });
    const told = await agent.tools[0]?.call({ city: 'Oslo' });
    expect(told?.kind).toBe('schema-changed');
    expect(outcomeText(told as never)).toContain('The new ones cannot be used with this model. Do not call it again.');
    expect(server.counters.executed('get_forecast')).toBe(0);
  });

  test('a config that is not valid is named with its place', async () => {
    const made = createInMemory({ name: 'bot', servers: [{ name: 'weather', config: http('not a URL') }] });
    await expect(made).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^The agent is not valid\. servers\.0\.config/u) as string,
    });
  });

  test('a server that cannot be reached fails the whole agent', async () => {
    const made = createInMemory({ name: 'bot', servers: [{ name: 'one', config: http('http://127.0.0.1:1/mcp') }] });
    await expect(made).rejects.toBeInstanceOf(McpClientError);
  });
});
