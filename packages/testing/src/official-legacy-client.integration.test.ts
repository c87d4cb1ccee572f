import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { fakeServer, fakeServerCommand, type FakeServer, type FakeServerOptions } from './index.js';

// Node 20 has no Promise.withResolvers.
const deferred = <T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } => {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

const definition: FakeServerOptions = {
  instructions: 'Be kind.',
  tools: ['echo', 'add', 'progress', 'elicit', 'sample', 'roots', 'log', 'hang', 'fail'],
  resources: [
    { uri: 'test://one', name: 'one', text: 'first', mimeType: 'text/plain' },
    { uri: 'test://two', name: 'two', blob: 'AAEC' },
  ],
  resourceTemplates: [{ uriTemplate: 'test://item/{id}', name: 'item', text: 'item {id}' }],
  prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }], text: 'Hello {who}' }],
  completions: { who: ['Ada', 'Alan', 'Grace'] },
  pageSize: 2,
};

interface Rig extends AsyncDisposable {
  readonly server: FakeServer | undefined;
  readonly client: Client;
}

const newClient = (): Client => {
  const client = new Client(
    { name: 'official', version: '1.0.0' },
    { capabilities: { sampling: {}, elicitation: {}, roots: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home' }] }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'fake',
    content: { type: 'text', text: 'Paris' },
  }));
  return client;
};

const rig = async (server: FakeServer | undefined, transport: Transport): Promise<Rig> => {
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

/** The official client's stdio transport needs a process; this one reads and writes our two streams. */
const streamTransport = (server: FakeServer): Transport => {
  const link = server.connectStdio({ banner: ['hello'], splitBytes: 7 });
  let rest = '';
  const decoded = new PassThrough({ encoding: 'utf8' });
  const transport: Transport = {
    start: async () => {
      link.stdout.pipe(decoded).on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines.filter((candidate) => candidate.startsWith('{'))) {
          transport.onmessage?.(JSON.parse(line));
        }
      });
    },
    send: async (message) => void link.stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      await link.close();
      transport.onclose?.();
    },
  };
  return transport;
};

const http = async (options: FakeServerOptions): Promise<Rig> => {
  const server = fakeServer({ ...definition, ...options });
  const { url } = await server.listenHttp();
  return await rig(server, new StreamableHTTPClientTransport(new URL(url)));
};

const rigs: Readonly<Record<string, () => Promise<Rig>>> = {
  'streamable HTTP, auto': () => http({}),
  'streamable HTTP, SSE answers': () => http({ answers: 'sse' }),
  'streamable HTTP, resumable': () => http({ resumable: true }),
  'HTTP+SSE': async () => {
    const server = fakeServer(definition);
    const { url } = await server.listenSse();
    return await rig(server, new SSEClientTransport(new URL(url)));
  },
  'stdio in process': async () => {
    const server = fakeServer(definition);
    return await rig(server, streamTransport(server));
  },
  'stdio as a process': async () => {
    const { command, args } = fakeServerCommand(definition);
    return await rig(undefined, new StdioClientTransport({ command, args: [...args] }));
  },
};

const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe.each(Object.entries(rigs))('the official legacy client over %s', (_name, open) => {
  test('initialises, lists every page and calls', async () => {
    await using opened = await open();
    const { client } = opened;
    expect(client.getInstructions()).toBe('Be kind.');
    expect(client.getServerVersion()).toMatchObject({ name: 'fake-server' });
    const first = await client.listTools();
    const second = await client.listTools({ cursor: first.nextCursor! });
    expect([...first.tools, ...second.tools].map((tool) => tool.name)).toEqual(['echo', 'add', 'progress', 'elicit']);
    expect(text(await client.callTool({ name: 'echo', arguments: { text: 'héllo' } }))).toBe('héllo');
    expect((await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })).structuredContent).toEqual({ sum: 5 });
    expect((await client.callTool({ name: 'fail', arguments: {} })).isError).toBe(true);
    await expect(client.callTool({ name: 'absent' })).rejects.toThrow(/Unknown tool/);
    await client.ping();
  });

  test('reads resources, prompts and completions', async () => {
    await using opened = await open();
    const { client } = opened;
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['test://one', 'test://two']);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    expect((await client.readResource({ uri: 'test://two' })).contents[0]).toMatchObject({ blob: 'AAEC' });
    expect((await client.readResource({ uri: 'test://item/7' })).contents[0]).toMatchObject({ text: 'item 7' });
    await expect(client.readResource({ uri: 'test://absent' })).rejects.toMatchObject({ code: -32002 });
    expect((await client.listPrompts()).prompts).toHaveLength(1);
    const prompt = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
    expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: 'Hello Ada' });
    const completed = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'A' },
    });
    expect(completed.completion.values).toEqual(['Ada', 'Alan']);
  });

  test('answers what the server asks, and hears progress and logs', async () => {
    await using opened = await open();
    const { client } = opened;
    expect(text(await client.callTool({ name: 'elicit', arguments: { rounds: 2 } }))).toContain('"name":"Ada"');
    expect(text(await client.callTool({ name: 'sample', arguments: {} }))).toContain('Paris');
    expect(text(await client.callTool({ name: 'roots', arguments: {} }))).toContain('file:///home');
    const steps: number[] = [];
    await client.callTool({ name: 'progress', arguments: { steps: 3, ms: 30 } }, undefined, {
      onprogress: ({ progress }) => steps.push(progress),
    });
    expect(steps).toEqual([1, 2, 3]);
    const logged = deferred<unknown>();
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logged.resolve(params.data));
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'log', arguments: { level: 'info', message: 'too quiet' } });
    await client.callTool({ name: 'log', arguments: { level: 'error', message: 'loud' } });
    expect(await logged.promise).toBe('loud');
  });

  test('cancels a call', async () => {
    await using opened = await open();
    const controller = new AbortController();
    const call = opened.client.callTool({ name: 'hang', arguments: {} }, undefined, { signal: controller.signal });
    const failure = call.catch((error: unknown) => error);
    if (opened.server === undefined) {
      controller.abort('enough');
    } else {
      await opened.server.execution('hang');
      controller.abort('enough');
      await opened.server.log.arrival('notifications/cancelled');
    }
    expect(await failure).toBeInstanceOf(Error);
    await opened.client.ping();
  });
});

describe.each(Object.entries(rigs).filter(([name]) => name !== 'stdio as a process'))(
  'changes reach the official legacy client over %s',
  (_name, open) => {
    test('list_changed and a subscribed resource', async () => {
      await using opened = await open();
      const { client, server } = opened;
      const changed = deferred<void>();
      const updated = deferred<string>();
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve());
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated.resolve(params.uri));
      await client.subscribeResource({ uri: 'test://one' });
      server?.setTools(['echo']);
      server?.updateResource('test://one', 'second');
      await changed.promise;
      expect(await updated.promise).toBe('test://one');
      expect((await client.readResource({ uri: 'test://one' })).contents[0]).toMatchObject({ text: 'second' });
      expect((await client.listTools()).tools).toHaveLength(1);
      expect(await server?.requestClient('roots/list')).toEqual({ roots: [{ uri: 'file:///home' }] });
    });
  },
);
