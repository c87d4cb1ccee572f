import { pause } from '@plugboard/base';
import type { ServerConfig } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import { describe, expect, test } from 'vitest';
import type { ClientEvent } from './session/client-event.js';
import type { McpClientOptions } from './client-options.js';
import { DEFAULT_DEADLINES } from './deadline/deadlines.js';
import { McpClient } from './mcp-client.js';
import { serverLabel } from './server-label.js';
import type { StoredSession } from './session/session-store.js';
import {
  eventOf,
  scriptedDispatcher,
  type ScriptedAnswer,
  type SeenRequest,
} from './test-support/scripted-dispatcher.js';

const config: ServerConfig = {
  mcp_server_type: 'streamable_http',
  server_url: 'http://host:1/mcp',
  auth_token: 'hush-hush',
};

type Answers = Readonly<Record<string, (params: JsonObject, request: SeenRequest) => ScriptedAnswer>>;

interface Body {
  readonly id: number;
  readonly method: string;
  readonly params: JsonObject;
}

/** A client of a scripted server: results by method. */
const rig = (era: 'legacy' | 'modern', answers: Answers = {}, options: Partial<McpClientOptions> = {}) => {
  const methods: string[] = [];
  const ids: unknown[] = [];
  const events: ClientEvent[] = [];
  let sessions = 0;
  let dispatchers = 0;
  const standard: Answers = {
    'server/discover': () =>
      era === 'modern'
        ? { body: { result: { supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } } } } }
        : { status: 400 },
    initialize: () => ({
      headers: { 'mcp-session-id': `s${(sessions += 1)}` },
      body: {
        result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'fake' }, instructions: 'Hi.' },
      },
    }),
    'notifications/initialized': () => ({ status: 202 }),
    ...answers,
  };
  const scripted = scriptedDispatcher((request) => {
    if (request.method !== 'POST') {
      methods.push(request.method);
      return { status: 405 };
    }
    const { id, method, params } = request.body as Body;
    methods.push(method);
    if (id !== undefined) ids.push(id);
    const answer = standard[method]?.(params, request) ?? { status: 202 };
    const { body } = answer;
    const wrap = typeof body === 'object' && ('result' in body || 'error' in body);
    return wrap ? { ...answer, body: { jsonrpc: '2.0', id, ...body } } : answer;
  });
  const client = new McpClient({
    config,
    createDispatcher: () => {
      dispatchers += 1;
      return scripted.dispatcher;
    },
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { client, methods, ids, events, dispatchers: () => dispatchers, ...scripted };
};

const lastParams = (seen: readonly SeenRequest[]): JsonObject | undefined =>
  (seen.at(-1)?.body as Body | undefined)?.params;

const toolCall = (text: string): ScriptedAnswer => ({ body: { result: { content: [{ type: 'text', text }] } } });

describe('a client', () => {
  test('does nothing until it is used, then opens one session for all', async () => {
    const { client, methods, dispatchers, ids } = rig('legacy', { 'tools/call': () => toolCall('x') });
    expect([client.isInitialized, client.sessionId, dispatchers(), methods]).toEqual([false, undefined, 0, []]);
    await Promise.all([client.callTool('a'), client.callTool('b'), client.callTool('c')]);
    expect(methods).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/call',
      'tools/call',
      'tools/call',
    ]);
    expect([client.sessionId, client.instructions, client.serverInfo, dispatchers()]).toEqual([
      's1',
      'Hi.',
      { name: 'fake' },
      1,
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    await client.dispose();
    expect(methods.at(-1)).toBe('DELETE');
    expect([client.isInitialized, client.capabilities, client.protocol]).toEqual([false, undefined, undefined]);
    expect(client.sessionId).toBeUndefined();
  });

  test('heals a lost session once, on the same connections', async () => {
    let calls = 0;
    const { client, methods, events, dispatchers } = rig('legacy', {
      'tools/call': () => ((calls += 1) === 1 ? { status: 404 } : toolCall('healed')),
    });
    expect(await client.callTool('a')).toMatchObject({ content: [{ text: 'healed' }] });
    expect([client.sessionId, dispatchers()]).toEqual(['s2', 1]);
    expect(methods.filter((method) => method === 'initialize')).toHaveLength(2);
    expect(events.map(({ type }) => type)).toEqual(['session-opened', 'session-lost', 'retry', 'session-opened']);
    await client.dispose();
  });

  test.each([
    ['once', 1, 'healed'],
    ['always', Number.POSITIVE_INFINITY, 'SESSION_LOST'],
  ])('opens one more session when calls are answered with 404 %s: two calls in all', async (_, gone, outcome) => {
    let [sessions, calls] = [0, 0];
    // A server of 2025-06-18 that answers notifications with 204.
    const { client, methods, seen, dispatchers } = rig(
      'legacy',
      {
        initialize: () => ({
          headers: { 'mcp-session-id': `session-${(sessions += 1)}` },
          body: {
            result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'mock' } },
          },
        }),
        'notifications/initialized': () => ({ status: 204 }),
        'tools/call': () => ((calls += 1) <= gone ? { status: 404 } : toolCall('healed')),
      },
      { era: 'legacy' },
    );
    const told = await client.callTool('a').then(
      ({ content }) => content?.[0]?.['text'],
      (error: unknown) => (error as { readonly code: string }).code,
    );
    expect(told).toBe(outcome);
    expect(methods).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'initialize',
      'notifications/initialized',
      'tools/call',
    ]);
    const usedBy = (method: string) =>
      seen
        .filter(({ body }) => (body as Body | undefined)?.method === method)
        .map(({ headers }) => [headers['mcp-session-id'], headers['MCP-Protocol-Version']]);
    expect(usedBy('tools/call')).toEqual([
      ['session-1', '2025-06-18'],
      ['session-2', '2025-06-18'],
    ]);
    expect(usedBy('initialize').map(([id]) => id)).toEqual([undefined, undefined]);
    expect(dispatchers()).toBe(1);
    await client.dispose();
  });

  test('has typed access to everything', async () => {
    const { client, methods, seen } = rig('modern', {
      'tools/list': ({ cursor }) => ({
        body: {
          result: {
            tools: [{ name: `t${String(cursor)}` }, {}, 7],
            ...(cursor === undefined ? { nextCursor: '2' } : {}),
          },
        },
      }),
      'resources/list': () => ({ body: { result: { resources: [{ uri: 'a' }] } } }),
      'resources/templates/list': () => ({ body: { result: { resourceTemplates: [{ name: 'b' }] } } }),
      'resources/read': () => ({ body: { result: { contents: [] } } }),
      'prompts/list': () => ({ body: { result: { prompts: [{ name: 'p' }] } } }),
      'prompts/get': () => ({ body: { result: { messages: [] } } }),
      'completion/complete': () => ({ body: { result: { completion: { values: [] } } } }),
    });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['tundefined', 't2']);
    expect(await client.listResources()).toEqual([{ uri: 'a' }]);
    expect(await client.listResourceTemplates()).toEqual([{ name: 'b' }]);
    expect(await client.readResource('a')).toEqual({ contents: [] });
    expect(await client.listPrompts()).toEqual([{ name: 'p' }]);
    expect(await client.getPrompt('p')).toEqual({ messages: [] });
    expect(await client.complete({ ref: {}, argument: { name: 'a', value: '' } })).toEqual({
      completion: { values: [] },
    });
    await client.ping();
    await client.notify('notifications/vendor', {});
    expect(methods.at(-2)).toBe('server/discover');
    expect(seen[1]?.headers).toMatchObject({ 'Mcp-Method': 'tools/list', authorization: 'Bearer hush-hush' });
    await client.dispose();
  });

  test.each([
    ['no object', 7],
    ['content that is none', { content: 'text' }],
    ['content of the wrong kind', { content: [7] }],
  ])('a tool result that is %s is an error', async (_what, result) => {
    const { client } = rig('modern', { 'tools/call': () => ({ body: { result } }) });
    await expect(client.callTool('a')).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
    await client.dispose();
  });

  test('learns from the list how a tool is called', async () => {
    let calls = 0;
    const { client, seen } = rig('modern', {
      'tools/list': () => ({
        body: {
          result: {
            tools: [
              { name: 'a', inputSchema: { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } },
              { name: 'bad', inputSchema: { properties: { x: { type: 'number', 'x-mcp-header': 'X' } } } },
            ],
          },
        },
      }),
      'tools/call': () =>
        (calls += 1) === 1
          ? { status: 400, body: { error: { code: -32020, message: 'Mcp-Param-Region is missing' } } }
          : toolCall('fine'),
    });
    expect(await client.callTool('a', { region: 'eu' })).toMatchObject({ content: [{ text: 'fine' }] });
    expect(seen.at(-1)?.headers).toMatchObject({ 'Mcp-Param-Region': 'eu' });
    await client.dispose();
  });

  test('tells which tools it had to leave out', async () => {
    const { client, events } = rig('modern', {
      'tools/list': () => ({
        body: {
          result: {
            tools: [{ name: 'bad', inputSchema: { properties: { x: { type: 'number', 'x-mcp-header': 'X' } } } }],
          },
        },
      }),
    });
    expect(await client.listTools()).toEqual([]);
    expect(events).toContainEqual({ type: 'tool-rejected', tool: 'bad', reason: expect.any(String) as string });
    await client.dispose();
  });

  test('keeps the last list for those whom it serves, until it is stale', async () => {
    let lists = 0;
    const { client } = rig('legacy', {
      'tools/list': () => ({ body: { result: { tools: [{ name: `t${(lists += 1)}` }] } } }),
      'tools/call': () => ({
        status: lists === 4 ? 404 : 200,
        body:
          eventOf({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }) +
          eventOf({ jsonrpc: '2.0', error: { code: 1, message: '' } }),
        headers: { 'content-type': 'text/event-stream' },
      }),
    });
    const names = async (cached: boolean): Promise<string> =>
      (await client.listTools({ cached })).map(({ name }) => name).join();
    expect(await Promise.all([names(true), names(true)])).toEqual(['t1', 't1']);
    expect(await names(true)).toBe('t1');
    expect(await names(false)).toBe('t2');
    expect(await names(true)).toBe('t2');
    await client.callTool('x').catch(() => undefined);
    expect(await names(true)).toBe('t3');
    await client.dispose();
    expect(await names(true)).toBe('t4');
    await client.callTool('x').catch(() => undefined);
    expect(await names(true)).toBe('t5');
    await client.dispose();
  });

  test('does not keep a list that could not be read', async () => {
    let lists = 0;
    const { client } = rig('modern', {
      'tools/list': () => ((lists += 1) === 1 ? { body: { result: {} } } : { body: { result: { tools: [] } } }),
    });
    await expect(client.listTools({ cached: true })).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
    expect(await client.listTools({ cached: true })).toEqual([]);
    await client.dispose();
  });

  test.each([
    ['', 'has no URL configured'],
    ['not a url', 'is not an http or https URL'],
    ['file:///etc/passwd', 'is not an http or https URL'],
  ])('a config with the URL "%s" is told by the first call', async (url, sentence) => {
    const { client, methods } = rig(
      'modern',
      {},
      { name: 'weather', config: { ...config, server_url: url } as ServerConfig },
    );
    const failure: unknown = await client.listTools().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(`"weather" ${sentence}`) as string,
    });
    expect(methods).toEqual([]);
    await client.dispose();
  });

  test('answers an input_required result, or hands it over raw', async () => {
    let calls = 0;
    const { client, seen } = rig('modern', {
      'tools/call': () =>
        (calls += 1) % 2 === 1
          ? {
              body: {
                result: {
                  resultType: 'input_required',
                  inputRequests: { r: { method: 'roots/list' } },
                  requestState: 'z',
                },
              },
            }
          : toolCall('done'),
    });
    client.onRequest('roots/list', () => ({ roots: [] }));
    expect(await client.callTool('a')).toMatchObject({ content: [{ text: 'done' }] });
    expect(lastParams(seen)).toMatchObject({
      requestState: 'z',
      inputResponses: { r: { roots: [] } },
    });
    expect(await client.request('tools/call', { name: 'a' }, { allowInputRequired: true })).toMatchObject({
      requestState: 'z',
    });
    await client.dispose();
  });

  test('sends an idempotency key where both kinds of server look for it', async () => {
    const { client, seen } = rig('modern', { 'tools/call': () => toolCall('x') });
    await client.request(
      'tools/call',
      { name: 'a', _meta: { mine: 1 } },
      { idempotencyKey: 'k1', headers: { 'x-agent': 'a1' } },
    );
    expect(seen.at(-1)?.headers).toMatchObject({ 'idempotency-key': 'k1', 'x-agent': 'a1' });
    expect(lastParams(seen)?.['_meta']).toMatchObject({
      mine: 1,
      'dev.plugboard/idempotencyKey': 'k1',
    });
    await client.dispose();
  });

  test('never shows a secret that the server echoes', async () => {
    const { client } = rig('modern', {
      'tools/call': () => ({
        body: { error: { code: -32603, message: 'bad token hush-hush', data: { sent: ['hush-hush'] } } },
      }),
    });
    const failure: unknown = await client.callTool('a').catch((error: unknown) => error);
    expect(failure).toMatchObject({ rpc: { message: 'bad token [redacted]', data: { sent: ['[redacted]'] } } });
    expect(JSON.stringify(failure)).not.toContain('hush');
    await client.dispose();
  });

  test('never shows one line of a secret of several lines that the server echoes', async () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\n-----END PRIVATE KEY-----\n';
    const { client } = rig(
      'modern',
      { 'tools/call': () => ({ body: { error: { code: -32603, message: 'bad line MIIEvQIBADAN' } } }) },
      { config: { ...config, variables: { KEY: key } } },
    );
    const failure: unknown = await client.callTool('a').catch((error: unknown) => error);
    expect(failure).toMatchObject({ rpc: { message: 'bad line [redacted]' } });
    await client.dispose();
  });

  test('calls only when the stream is open on which an old server may ask', async () => {
    const methods: string[] = [];
    const { dispatcher } = scriptedDispatcher(async (request) => {
      const { id, method } = (request.body ?? {}) as Partial<Body>;
      if (request.method === 'GET') await pause(20, request.signal);
      methods.push(method ?? request.method);
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'fake', version: '1' } };
      switch (method) {
        case 'initialize':
          return { body: { jsonrpc: '2.0', id, result } };
        case 'tools/call':
          return { body: { jsonrpc: '2.0', id, result: { content: [] } } };
        default:
          return { status: request.method === 'GET' ? 405 : method === 'server/discover' ? 400 : 202 };
      }
    });
    const client = new McpClient({ config, createDispatcher: () => dispatcher });
    client.onRequest('elicitation/create', () => ({ action: 'decline' }));
    await client.callTool('a');
    expect(methods.slice(-2)).toEqual(['GET', 'tools/call']);
    await client.dispose();
  });

  test('hears changes: a stream of its own for old servers, a subscription for modern ones', async () => {
    const old = rig('legacy');
    old.client.onNotification(() => undefined);
    await old.client.connect();
    await expect.poll(() => old.methods, { timeout: 10_000 }).toContain('GET');
    await old.client.dispose();
    const heard: string[] = [];
    const modern = rig('modern', {
      'subscriptions/listen': (_params, request) => ({
        body: (async function* events() {
          yield eventOf({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} });
          yield eventOf({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
          await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
        })(),
      }),
    });
    await modern.client.connect();
    expect(modern.methods).not.toContain('subscriptions/listen');
    const stop = modern.client.onNotification(({ method }) => heard.push(method));
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['notifications/tools/list_changed']);
    const own = await modern.client.listen({ promptsListChanged: true });
    own.close();
    expect(await own.closed).toBe('local');
    stop();
    await modern.client.dispose();
  });

  test('takes up a stored session and forgets it when it is gone', async () => {
    const store = {
      current: undefined as StoredSession | undefined,
      load: async () => store.current,
      save: async (session: StoredSession) => {
        store.current = session;
      },
      clear: async () => {
        store.current = undefined;
      },
    };
    store.current = { sessionId: 'kept', version: '2025-06-18' };
    let calls = 0;
    const { client, methods, seen } = rig(
      'legacy',
      { 'tools/call': () => ((calls += 1) === 2 ? { status: 404 } : toolCall('x')) },
      { sessionStore: store },
    );
    await client.callTool('a');
    expect(methods).toEqual(['tools/call']);
    expect(seen[0]?.headers).toMatchObject({ 'mcp-session-id': 'kept', 'MCP-Protocol-Version': '2025-06-18' });
    await client.callTool('a');
    expect(store.current).toMatchObject({ sessionId: 's1', version: '2025-11-25' });
    await client.dispose();
    expect(store.current).toBeUndefined();
    store.current = { sessionId: 'odd', version: 'unknown' };
    await client.callTool('a');
    expect(client.sessionId).toBe('s2');
    await client.dispose();
  });

  test('runs each call through the policies, outermost first', async () => {
    const order: string[] = [];
    const { client } = rig(
      'modern',
      { 'tools/call': () => toolCall('x') },
      {
        name: 'named',
        policies: {
          call: async (context, next) => {
            order.push('call');
            return next(context);
          },
          attempt: async (context, next) => {
            order.push(
              `${context.serverName} ${context.method} ${String(context.toolName)} ${String(context.caller)} ${String(context.idempotent)}`,
            );
            const result = await next(context);
            order.push('back');
            return result;
          },
        },
      },
    );
    await client.callTool('a', {}, { caller: 'agent-1', tool: { name: 'a', annotations: { readOnlyHint: true } } });
    expect(order).toEqual(['call', 'named tools/call a agent-1 true', 'back']);
    await client.dispose();
  });

  test('gives policies of a program a signal that AbortSignal.any hears', async () => {
    const heard: unknown[] = [];
    const { client } = rig(
      'modern',
      { 'tools/call': () => toolCall('x') },
      {
        policies: {
          call: async ({ signal }) => {
            const either = AbortSignal.any([signal, new AbortController().signal]);
            await new Promise((_resolve, reject) => {
              either.addEventListener('abort', () => {
                heard.push(either.reason);
                reject(either.reason as Error);
              });
              cancel.abort('enough');
            });
            throw new Error('never');
          },
        },
      },
    );
    const cancel = new AbortController();
    await expect(client.callTool('a', {}, { signal: cancel.signal })).rejects.toThrow('may have been executed');
    expect(heard).toEqual(['enough']);
    await client.dispose();
  });

  test('ends calls in flight when it is disposed, and can be used again', async () => {
    const { client, dispatchers } = rig('modern', {
      'tools/call': ({ name }) =>
        name === 'hang'
          ? {
              body: (async function* never() {
                await new Promise(() => undefined);
                yield '';
              })(),
            }
          : toolCall('x'),
    });
    const call = client.callTool('hang').catch((error: unknown) => error);
    await expect.poll(() => client.isInitialized, { timeout: 10_000 }).toBe(true);
    await Promise.all([client.dispose(), client[Symbol.asyncDispose]()]);
    expect(await call).toMatchObject({ code: 'CANCELLED' });
    await client.callTool('a');
    expect(dispatchers()).toBe(2);
    await client.dispose();
  });
});

test('labels never show a path, a query or a user', () => {
  expect(
    serverLabel({ mcp_server_type: 'sse', server_url: 'https://user:pass@host.example:8443/secret?key=1' }),
  ).toEqual({
    name: 'host.example:8443',
    host: 'host.example:8443',
  });
  expect(serverLabel({ mcp_server_type: 'stdio', command: '/opt/private/server', args: [] })).toEqual({
    name: 'server',
    host: 'The process of "server"',
  });
  expect(serverLabel(config, 'weather').name).toBe('weather');
});

test('defaults are there', () => {
  expect(DEFAULT_DEADLINES).toMatchObject({ connectMs: 30_000, listMs: 30_000, callMs: 60_000 });
});
