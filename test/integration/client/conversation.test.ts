/// <reference lib="esnext.disposable" />
import type { JsonRpcNotification } from '@plugboard/wire';
import type { FakeServerOptions } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { allRigs, isModern, isStdio, openRig, textOf } from './rig.js';

const definition: FakeServerOptions = {
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
    'big',
    {
      name: 'regional',
      inputSchema: { type: 'object', properties: { text: { type: 'string', 'x-mcp-header': 'Text' } } },
      handler: 'echo',
      extra: { vendorField: { kept: true } },
    },
  ],
  resources: [
    { uri: 'test://one', name: 'one', text: 'first' },
    { uri: 'test://two', name: 'two', text: 'second' },
  ],
  resourceTemplates: [{ uriTemplate: 'test://item/{id}', name: 'item', text: 'item {id}' }],
  prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }], text: 'Hello {who}' }],
  completions: { who: ['Ada', 'Alan', 'Grace'] },
  pageSize: 3,
};

describe.each(allRigs)('a conversation over %s', (kind) => {
  test('lists every page and keeps what it does not know', async () => {
    await using rig = await openRig(kind, { server: definition });
    const { client } = rig;
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'echo',
      'add',
      'progress',
      'elicit',
      'sample',
      'roots',
      'log',
      'hang',
      'big',
      'regional',
    ]);
    expect(tools.at(-1)).toMatchObject({ vendorField: { kept: true } });
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['test://one', 'test://two']);
    expect((await client.listResourceTemplates()).map(({ name }) => name)).toEqual(['item']);
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['greet']);
    expect(client.instructions).toBe('Be kind.');
  });

  test('calls, reads, prompts, completes and pings', async () => {
    await using rig = await openRig(kind, { server: definition });
    const { client } = rig;
    expect((await client.callTool('add', { a: 2, b: 3 })).structuredContent).toEqual({ sum: 5 });
    expect(await client.readResource('test://item/7')).toMatchObject({ contents: [{ text: 'item 7' }] });
    expect(await client.getPrompt('greet', { who: 'Ada' })).toMatchObject({
      messages: [{ content: { text: 'Hello Ada' } }],
    });
    const completed = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'A' },
    });
    expect(completed).toMatchObject({ completion: { values: ['Ada', 'Alan'] } });
    await expect(client.ping()).resolves.toBeUndefined();
  });

  test('an answer of 8 MB arrives whole', async () => {
    await using rig = await openRig(kind, { server: definition });
    const text = textOf(await rig.client.callTool('big', { bytes: 8 * 1024 * 1024 }));
    expect(Buffer.byteLength(text)).toBe(8 * 1024 * 1024);
    expect(text).toMatch(/^é+$/u);
  });

  test('an error of the server arrives with its code', async () => {
    await using rig = await openRig(kind, { server: definition });
    const failure: unknown = await rig.client.callTool('absent').catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'protocol', delivery: 'answered', rpc: { code: -32602 } });
    await expect(rig.client.request('no/such/method')).rejects.toMatchObject({
      code: 'METHOD_NOT_FOUND',
      rpc: { code: -32601 },
    });
  });

  test('progress is told and moves the deadline', async () => {
    await using rig = await openRig(kind, { server: definition });
    const seen: number[] = [];
    const result = await rig.client.callTool(
      'progress',
      { steps: 11, ms: 250 },
      { deadlineMs: 2_500, onProgress: ({ progress }) => seen.push(progress) },
    );
    expect(textOf(result)).toBe('11 steps');
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('giving up reaches the server', async () => {
    await using rig = await openRig(kind, { server: definition });
    const { client, server } = rig;
    const controller = new AbortController();
    const call = client.callTool('hang', {}, { signal: controller.signal }).catch((error: unknown) => error);
    const arrived = await server.log.arrival('tools/call');
    controller.abort();
    expect(await call).toMatchObject({ code: 'CANCELLED' });
    if (isModern(kind) && !isStdio(kind)) {
      // Closing the stream says it; the connection that carried it is gone.
      await client.callTool('echo', { text: 'still there' });
      expect(server.log.count('notifications/cancelled')).toBe(0);
    } else {
      const told = await server.log.arrival('notifications/cancelled');
      expect(told.params).toMatchObject({ requestId: arrived.id });
    }
  });

  test('a signal that is aborted already sends nothing', async () => {
    await using rig = await openRig(kind, { server: definition });
    await expect(rig.client.callTool('echo', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CANCELLED',
      delivery: 'not-executed',
    });
    expect(rig.server.counters.toolsCall).toBe(0);
  });

  test('what the server asks is answered by the handlers', async () => {
    await using rig = await openRig(kind, { server: definition });
    const { client } = rig;
    client.onRequest('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
    client.onRequest('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
    client.onRequest('sampling/createMessage', () => ({
      role: 'assistant',
      model: 'fake',
      content: { type: 'text', text: 'Paris' },
    }));
    expect(textOf(await client.callTool('elicit'))).toContain('Ada');
    expect(textOf(await client.callTool('sample'))).toContain('Paris');
    expect(textOf(await client.callTool('roots'))).toContain('file:///home');
  });

  test('list_changed is heard', async () => {
    await using rig = await openRig(kind, { server: definition });
    const { client, server } = rig;
    const heard = new Promise<JsonRpcNotification>((resolve) => {
      client.onNotification((notification) => {
        if (notification.method === 'notifications/tools/list_changed') resolve(notification);
      });
    });
    await client.connect();
    if (!isStdio(kind) && kind !== 'legacy HTTP+SSE') {
      await server.log.until(() => (server.counters.openStreams > 0 ? true : undefined));
    } else if (isModern(kind)) {
      await server.log.arrival('subscriptions/listen');
    }
    server.setTools(['echo']);
    expect((await heard).method).toBe('notifications/tools/list_changed');
    expect(await client.listTools()).toHaveLength(1);
  });

  test('log messages come with the call that asked for them', async () => {
    await using rig = await openRig(kind, { server: definition });
    const { client } = rig;
    const logged: JsonRpcNotification[] = [];
    if (!isModern(kind)) await client.request('logging/setLevel', { level: 'debug' });
    client.onNotification((notification) => logged.push(notification));
    await client.callTool('log', { level: 'warning', message: 'mind the gap' }, { logLevel: 'debug' });
    expect(logged.filter(({ method }) => method === 'notifications/message')).toHaveLength(1);
  });
});

describe('modern servers', () => {
  test.each(['modern stdio', 'modern streamable HTTP'] as const)(
    'an input_required result can be had raw over %s',
    async (kind) => {
      await using rig = await openRig(kind, {
        server: definition,
        client: { capabilities: { elicitation: { form: {} } } },
      });
      const result = await rig.client.request('tools/call', { name: 'elicit' }, { allowInputRequired: true });
      expect(result).toMatchObject({ resultType: 'input_required', inputRequests: expect.any(Object) as object });
    },
  );

  test('an input request without a handler is an error that names the method', async () => {
    await using rig = await openRig('modern streamable HTTP', {
      server: definition,
      client: { capabilities: { elicitation: { form: {} } } },
    });
    await expect(rig.client.callTool('elicit')).rejects.toMatchObject({
      code: 'UPSTREAM_PROTOCOL',
      details: { method: 'elicitation/create' },
    });
  });

  test('a server that never has enough input is left after ten rounds', async () => {
    await using rig = await openRig('modern streamable HTTP', { server: definition });
    rig.client.onRequest('elicitation/create', () => ({ action: 'accept', content: {} }));
    rig.server.script
      .on('tools/call')
      .always()
      .respondResult({
        resultType: 'input_required',
        inputRequests: { again: { method: 'elicitation/create', params: { message: 'more' } } },
      });
    await expect(rig.client.callTool('elicit')).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
    const calls = rig.server.log.of('tools/call');
    expect(calls).toHaveLength(11);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(11);
  });

  test('annotated parameters are mirrored into headers, learnt from the list when needed', async () => {
    await using rig = await openRig('modern streamable HTTP', { server: definition });
    expect(textOf(await rig.client.callTool('regional', { text: 'Zürich' }))).toBe('Zürich');
    const calls = rig.server.log.of('tools/call');
    expect(calls.at(-1)?.headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': 'regional',
      'mcp-param-text': `=?base64?${Buffer.from('Zürich').toString('base64')}?=`,
      'mcp-protocol-version': '2026-07-28',
    });
    const before = calls.length;
    await rig.client.callTool('regional', { text: 'plain' });
    expect(rig.server.counters.toolsCall).toBe(before + 1);
  });

  test('tools with invalid annotations are left out over HTTP, and said so; stdio keeps them', async () => {
    const tools: FakeServerOptions['tools'] = [
      'echo',
      {
        name: 'broken',
        inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } },
        result: 'x',
      },
    ];
    await using http = await openRig('modern streamable HTTP', { server: { tools } });
    expect((await http.client.listTools()).map(({ name }) => name)).toEqual(['echo']);
    expect(http.events).toContainEqual(expect.objectContaining({ type: 'tool-rejected', tool: 'broken' }));
    await using stdio = await openRig('modern stdio', { server: { tools } });
    expect(await stdio.client.listTools()).toHaveLength(2);
  });

  test.each(['modern stdio', 'modern streamable HTTP'] as const)(
    'subscriptions open and close over %s',
    async (kind) => {
      await using rig = await openRig(kind, { server: definition });
      const { client, server } = rig;
      const heard: string[] = [];
      client.onNotification(({ method }) => heard.push(method));
      const subscription = await client.listen({ resourceSubscriptions: ['test://one'] });
      expect(subscription.honoured).toEqual({ resourceSubscriptions: ['test://one'] });
      server.updateResource('test://one', 'changed');
      await expect.poll(() => heard, { timeout: 10_000 }).toContain('notifications/resources/updated');
      subscription.close();
      expect(await subscription.closed).toBe('local');
      const second = await client.listen({ toolsListChanged: true });
      server.finishSubscriptions();
      expect(await second.closed).toBe('graceful');
    },
  );
});

describe('lists in trouble', () => {
  test('a cursor that comes back is an error, not an endless loop', async () => {
    await using rig = await openRig('legacy streamable HTTP');
    rig.server.script.on('tools/list').always().respondResult({ tools: [], nextCursor: 'again' });
    await expect(rig.client.listTools()).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
    expect(rig.server.log.count('tools/list')).toBe(2);
  });

  test('a list that is none is an error', async () => {
    await using rig = await openRig('legacy streamable HTTP');
    rig.server.script.on('tools/list').always().respondResult({ tools: 'none' });
    await expect(rig.client.listTools()).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
  });
});
