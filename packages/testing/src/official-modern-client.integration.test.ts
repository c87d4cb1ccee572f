/// <reference lib="esnext.disposable" />
// The linter does not see which library the tests are compiled with.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { fakeServer, fakeServerCommand, type FakeServer, type FakeServerOptions } from './index.js';

const definition: FakeServerOptions = {
  eras: 'modern',
  instructions: 'Be kind.',
  tools: [
    'echo',
    'add',
    'progress',
    'elicit',
    'sample',
    'roots',
    'log',
    'hang',
    {
      name: 'regional',
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
      handler: 'echo',
    },
  ],
  resources: [{ uri: 'test://one', name: 'one', text: 'first' }],
  resourceTemplates: [{ uriTemplate: 'test://item/{id}', name: 'item', text: 'item {id}' }],
  prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }], text: 'Hello {who}' }],
  completions: { who: ['Ada', 'Alan', 'Grace'] },
  pageSize: 4,
};

const newClient = (): Client => {
  const client = new Client(
    { name: 'official', version: '1.0.0' },
    {
      capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    model: 'fake',
    content: { type: 'text', text: 'Paris' },
  }));
  return client;
};

interface Rig extends AsyncDisposable {
  readonly server: FakeServer | undefined;
  readonly client: Client;
}

const rig = async (server: FakeServer | undefined, transport: Parameters<Client['connect']>[0]): Promise<Rig> => {
  const client = newClient();
  await client.connect(transport);
  return {
    server,
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server?.close();
    },
  };
};

const http = async (options: FakeServerOptions): Promise<Rig> => {
  const server = fakeServer({ ...definition, ...options });
  const { url } = await server.listenHttp();
  return await rig(server, new StreamableHTTPClientTransport(new URL(url)));
};

const stdio = async (options: FakeServerOptions): Promise<Rig> => {
  const { command, args } = fakeServerCommand({ ...definition, ...(options as object) });
  return await rig(undefined, new StdioClientTransport({ command, args: [...args] }));
};

const rigs: Readonly<Record<string, () => Promise<Rig>>> = {
  'HTTP, auto': () => http({}),
  'HTTP, SSE answers': () => http({ answers: 'sse' }),
  'HTTP, both eras': () => http({ eras: 'both' }),
  stdio: () => stdio({}),
  'stdio, both eras': () => stdio({ eras: 'both' }),
};

const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe.each(Object.entries(rigs))('the official modern client over %s', (_name, open) => {
  test('discovers, lists, calls and reads', async () => {
    await using opened = await open();
    const { client } = opened;
    expect(client.getInstructions()).toBe('Be kind.');
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(
      definition.tools?.map((tool) => (typeof tool === 'string' ? tool : tool.name)),
    );
    expect(text(await client.callTool({ name: 'echo', arguments: { text: 'héllo' } }))).toBe('héllo');
    expect((await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })).structuredContent).toEqual({ sum: 5 });
    await expect(client.callTool({ name: 'absent' })).rejects.toMatchObject({ code: -32602 });
    await client.callTool({ name: 'regional', arguments: { region: 'Zürich' } });
    expect((await client.readResource({ uri: 'test://item/7' })).contents[0]).toMatchObject({ text: 'item 7' });
    await expect(client.readResource({ uri: 'test://absent' })).rejects.toMatchObject({ code: -32602 });
    const prompt = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
    expect(prompt.messages[0]?.content).toMatchObject({ text: 'Hello Ada' });
    const completed = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'A' },
    });
    expect(completed.completion.values).toEqual(['Ada', 'Alan']);
  });

  test('goes the rounds of input_required, and hears progress', async () => {
    await using opened = await open();
    const { client } = opened;
    const answered = text(await client.callTool({ name: 'elicit', arguments: { rounds: 3 } }));
    expect(JSON.parse(answered)).toHaveLength(3);
    expect(text(await client.callTool({ name: 'sample', arguments: {} }))).toContain('Paris');
    expect(text(await client.callTool({ name: 'roots', arguments: {} }))).toContain('file:///home');
    const steps: number[] = [];
    await client.callTool(
      { name: 'progress', arguments: { steps: 3, ms: 30 } },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    expect(steps).toEqual([1, 2, 3]);
  });

  test('cancels a call', async () => {
    await using opened = await open();
    const controller = new AbortController();
    const call = opened.client.callTool({ name: 'hang', arguments: {} }, { signal: controller.signal });
    const failure = call.catch((error: unknown) => error);
    const { server } = opened;
    await server?.execution('hang');
    controller.abort('enough');
    expect(await failure).toBeInstanceOf(Error);
    expect(text(await opened.client.callTool({ name: 'echo', arguments: { text: 'still here' } }))).toBe('still here');
  });
});

describe('the official client that finds out the era', () => {
  const auto = () => new Client({ name: 'auto', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });

  test.each([
    ['legacy', 'initialize'],
    ['modern', 'tools/call'],
    ['both', 'tools/call'],
  ] as const)('of a %s server over HTTP', async (eras, expected) => {
    await using server = fakeServer({ eras });
    const client = auto();
    await client.connect(new StreamableHTTPClientTransport(new URL((await server.listenHttp()).url)));
    expect(text(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('hi');
    expect(server.log.methods()[0]).toBe('server/discover');
    expect(server.log.methods()[1]).toBe(expected);
    await client.close();
  });

  test('of a legacy process over stdio', async () => {
    const { command, args } = fakeServerCommand({ eras: 'legacy' });
    const client = auto();
    await client.connect(new StdioClientTransport({ command, args: [...args] }));
    expect(text(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('hi');
    await client.close();
  });
});

describe.each(Object.entries(rigs).filter(([name]) => name.startsWith('HTTP')))('over %s', (_name, open) => {
  test('a subscription is acknowledged, told of changes, and ended in good order', async () => {
    await using opened = await open();
    const { client, server } = opened;
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    });
    const updated = new Promise<string>((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    });
    const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ['test://one'] });
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true, resourceSubscriptions: ['test://one'] });
    expect(server?.counters.openStreams).toBe(1);
    server?.setTools(['echo']);
    server?.updateResource('test://one', 'second');
    await changed;
    expect(await updated).toBe('test://one');
    server?.finishSubscriptions();
    expect(await subscription.closed).toBe('graceful');
  });
});
