import { PassThrough } from 'node:stream';
import { McpProtocolError } from '@plugboard/client';
import type { CatalogueSnapshot } from '@plugboard/contract';
import { META_KEY } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import { createGateway } from './gateway.js';
import { sampleServer, sampleTool } from './test-support/catalogue.js';
import { RecordingClient, type Recorded, type RecordingClientOptions } from './test-support/recording-client.js';
import { UpstreamPool } from './connection/upstream-pool.js';

const files = sampleServer('files', 1);
const ANSWER = { role: 'assistant', content: { type: 'text', text: 'Paris' } };

type Line = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly data?: unknown };
};

/** A whole gateway before a recorded server, spoken to over two pipes. */
const converse = (answer: (asked: Recorded) => unknown, options: RecordingClientOptions = {}) => {
  const clients: RecordingClient[] = [];
  let listener: (snapshot: CatalogueSnapshot) => void = () => undefined;
  let snapshot: CatalogueSnapshot = { version: 1, entries: [{ server: files, tools: [sampleTool(files, 'read')] }] };
  const gateway = createGateway({
    identity: { name: 'plugboard', version: '1' },
    catalogue: {
      snapshot: () => snapshot,
      status: () => ({ state: 'unknown' }),
      onChange: (heard) => {
        listener = heard;
        return () => undefined;
      },
    },
    upstream: new UpstreamPool({
      idleMs: 1000,
      makeClient: () => {
        const client = new RecordingClient(answer, options);
        clients.push(client);
        return client;
      },
    }),
    ready: async () => ({ status: 'ready', store: 'ok', servers: {}, services: {} }),
    uptimeMs: () => 0,
    onInternalError: () => undefined,
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const lines: Line[] = [];
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n').filter(Boolean)) lines.push(JSON.parse(line) as Line);
  });
  const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const until = async (found: (line: Line) => boolean): Promise<Line> => {
    await expect.poll(() => lines.some(found)).toBe(true);
    return lines.find(found) ?? {};
  };
  let lastId = 0;
  const ask = (method: string, params: object = {}): Promise<Line> => {
    lastId += 1;
    const id = `q${lastId}`;
    send({ id, method, params });
    return until((line) => line.id === id);
  };
  const modern = (method: string, params: object = {}, capabilities: object = {}, meta: object = {}): Promise<Line> =>
    ask(method, {
      ...params,
      _meta: { [META_KEY.protocolVersion]: '2026-07-28', [META_KEY.clientCapabilities]: capabilities, ...meta },
    });
  const initialize = (capabilities: object = {}, protocolVersion = '2025-11-25'): Promise<Line> =>
    ask('initialize', { protocolVersion, capabilities, clientInfo: { name: 'c', version: '1' } });
  const serve = (server?: string) => gateway.serveStdio({ input, output }, stop.signal, { server });
  const publish = (next: CatalogueSnapshot): void => {
    snapshot = next;
    listener(next);
  };
  const end = async (serving: Promise<void>): Promise<void> => {
    stop.abort();
    await serving;
    gateway.beginStopping();
    await gateway.close();
  };
  return { gateway, clients, lines, send, until, ask, modern, initialize, serve, publish, end };
};

const MODERN: RecordingClientOptions = {
  protocol: { era: 'modern', revision: '2026-07-28' },
  capabilities: {
    tools: {},
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
  },
};
const STATEFUL: RecordingClientOptions = {
  sessionId: 'sid',
  capabilities: {
    tools: {},
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    logging: {},
    completions: {},
  },
};

describe('a legacy client and a legacy server', () => {
  it('hear each other: questions, progress, logs, levels, subscriptions and roots', async () => {
    const talk = converse(async ({ method, options }) => {
      if (method !== 'tools/call') return {};
      options.onProgress?.({ progress: 1 }, { progressToken: 7, progress: 1, vendor: true });
      options.onNotification?.({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } });
      options.onNotification?.({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      const signal = new AbortController().signal;
      expect(await options.onRequest?.({ method: 'ping', params: {}, signal })).toEqual({});
      return {
        content: [],
        asked: await options.onRequest?.({ method: 'sampling/createMessage', params: {}, signal }),
      };
    }, STATEFUL);
    const serving = talk.serve('files');
    await talk.initialize({ sampling: {} });
    const calling = talk.ask('tools/call', { name: 'read', _meta: { progressToken: 'mine' } });
    const question = await talk.until((line) => line.method === 'sampling/createMessage');
    talk.send({ id: question.id, result: ANSWER });
    expect((await calling).result).toEqual({ content: [], asked: ANSWER });
    expect(talk.lines.filter((line) => line.id === undefined)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'mine', vendor: true } },
      { method: 'notifications/message' },
    ]);
    expect((await talk.ask('logging/setLevel', { level: 'error' })).result).toEqual({});
    expect((await talk.ask('logging/setLevel', { level: 'loud' })).error?.code).toBe(-32602);
    expect((await talk.ask('resources/subscribe', { uri: 'x://1' })).result).toEqual({});
    const own = talk.clients.at(-1);
    own?.emit('notifications/resources/updated', { uri: 'x://1' });
    own?.emit('notifications/resources/updated', { uri: 'x://2' });
    own?.emit('notifications/resources/list_changed');
    // Names that every object has are methods like others.
    own?.emit('constructor');
    own?.emit('notifications/vendor', { a: 1 });
    await talk.until((line) => line.method === 'notifications/vendor');
    expect(talk.lines.filter((line) => line.method === 'notifications/resources/updated')).toHaveLength(1);
    expect(talk.lines.filter(({ method }) => method?.endsWith('list_changed'))).toHaveLength(1);
    expect(talk.lines.some(({ method }) => method === 'constructor')).toBe(true);
    expect(talk.lines.some((line) => line.method === 'notifications/resources/list_changed')).toBe(true);
    expect((await talk.ask('resources/unsubscribe', { uri: 'x://1' })).result).toEqual({});
    talk.send({ method: 'notifications/roots/list_changed' });
    await expect.poll(() => own?.notified).toEqual([{ method: 'notifications/roots/list_changed', params: undefined }]);
    expect(own?.asked.map(({ method }) => method)).toEqual([
      'tools/call',
      'logging/setLevel',
      'resources/subscribe',
      'resources/unsubscribe',
    ]);
    await talk.end(serving);
    expect(own?.disposed).toBe(1);
  });

  it('take requests back', async () => {
    let aborted = false;
    const talk = converse(
      ({ options }) =>
        new Promise((_, reject) => {
          options.signal?.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('aborted'));
          });
        }),
      STATEFUL,
    );
    const serving = talk.serve('files');
    await talk.initialize();
    talk.send({ id: 'slow', method: 'tools/call', params: { name: 'read' } });
    await expect.poll(() => talk.clients.at(-1)?.asked.length).toBe(1);
    talk.send({ method: 'notifications/cancelled', params: { requestId: 'slow' } });
    await expect.poll(() => aborted).toBe(true);
    expect((await talk.ask('ping')).result).toEqual({});
    expect(talk.lines.some((line) => line.id === 'slow')).toBe(false);
    await talk.end(serving);
  });
});

describe('a legacy client and a modern server', () => {
  it('the hub asks the client and goes on with its answers', async () => {
    const rounds: unknown[] = [];
    const talk = converse(({ method, params, options }) => {
      if (method !== 'tools/call') return {};
      rounds.push(params);
      expect(options.logLevel).toBe('info');
      if (rounds.length > 1) return { resultType: 'complete', content: [], structuredContent: [1], ttlMs: 1 };
      const inputRequests = {
        where: { method: 'elicitation/create', params: { mode: 'url', url: 'https://a.example' } },
      };
      return { resultType: 'input_required', inputRequests, requestState: 'state' };
    }, MODERN);
    const serving = talk.serve('files');
    await talk.initialize({ elicitation: { url: {} }, roots: { listChanged: true } });
    const calling = talk.ask('tools/call', { name: 'read' });
    const question = await talk.until((line) => line.method === 'elicitation/create');
    expect(question.params).toMatchObject({ elicitationId: expect.any(String), url: 'https://a.example' });
    talk.send({ id: question.id, result: { action: 'accept' } });
    expect((await calling).result).toEqual({ content: [], structuredContent: { result: [1] } });
    expect(rounds[1]).toMatchObject({
      inputResponses: { where: { action: 'accept' } },
      requestState: 'state',
      _meta: { [META_KEY.clientCapabilities]: { elicitation: { url: {} }, roots: {} } },
    });
    expect(talk.lines.some((line) => line.method === 'notifications/elicitation/complete')).toBe(true);
    expect((await talk.ask('resources/subscribe', { uri: 'x://1' })).result).toEqual({});
    talk.clients[0]?.emit('notifications/resources/updated', { uri: 'x://1' });
    await talk.until((line) => line.method === 'notifications/resources/updated');
    await talk.end(serving);
  });

  it('a flood of questions is an error of the server, and the client is asked none of them', async () => {
    const talk = converse(({ method }) => {
      if (method !== 'tools/call') return {};
      const questions = Array.from({ length: 257 }, (_, key) => [key, { method: 'elicitation/create', params: {} }]);
      return { resultType: 'input_required', inputRequests: Object.fromEntries(questions) };
    }, MODERN);
    const serving = talk.serve('files');
    await talk.initialize({ elicitation: {} });
    const { error } = await talk.ask('tools/call', { name: 'read' });
    expect(error).toMatchObject({
      data: { code: 'UPSTREAM_PROTOCOL' },
      message: expect.stringContaining('at most 256'),
    });
    expect(talk.lines.some((line) => line.method === 'elicitation/create')).toBe(false);
    await talk.end(serving);
  });

  it('hear what went wrong in their own words', async () => {
    const talk = converse(({ method }) => {
      if (method === 'tools/call') return { resultType: 'task', taskId: 't' };
      throw new McpProtocolError('INVALID_ARGUMENT', 'm', { rpc: { code: -32602, message: 'not found' } });
    }, MODERN);
    const serving = talk.serve('files');
    await talk.initialize();
    expect((await talk.ask('tools/call', { name: 'read' })).error?.code).toBe(-32013);
    expect((await talk.ask('resources/read', { uri: 'x://1' })).error?.code).toBe(-32002);
    expect((await talk.ask('tasks/list')).error?.code).toBe(-32601);
    await talk.end(serving);
  });
});

describe('a modern client and a legacy server', () => {
  it('the call waits until the client comes back with answers', async () => {
    const talk = converse(async ({ method, params, options }) => {
      if (method !== 'tools/call') return {};
      expect(params).toEqual({ name: 'read', _meta: { progressToken: 1 } });
      const signal = new AbortController().signal;
      options.onNotification?.({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'error', data: 1 },
      });
      options.onNotification?.({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'debug', data: 2 },
      });
      return { content: [], said: await options.onRequest?.({ method: 'roots/list', params: {}, signal }) };
    });
    const serving = talk.serve('files');
    const meta = { progressToken: 1, [META_KEY.logLevel]: 'warning' };
    const first = await talk.modern('tools/call', { name: 'read' }, { roots: {} }, meta);
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'input-1': { method: 'roots/list' } },
    });
    expect(talk.lines.filter((line) => line.method === 'notifications/message')).toHaveLength(1);
    const requestState = first.result?.['requestState'];
    const inputResponses = { 'input-1': { roots: [] } };
    const retry = { name: 'read', inputResponses };
    expect(
      (await talk.modern('tools/call', { ...retry, requestState: `${requestState as string}x` }, { roots: {} })).error
        ?.code,
    ).toBe(-32602);
    const done = await talk.modern('tools/call', { ...retry, requestState }, { roots: {} });
    expect(done.result).toMatchObject({
      resultType: 'complete',
      said: { roots: [] },
      _meta: { [META_KEY.serverInfo]: { name: 'recorded' } },
    });
    expect((await talk.modern('tools/call', { name: 'read', inputResponses: null })).error?.code).toBe(-32602);
    await talk.end(serving);
  });

  it('a client that lacks a capability is told which', async () => {
    const talk = converse(async ({ method, options }) => {
      if (method === 'prompts/get') {
        throw new McpProtocolError('UPSTREAM_PROTOCOL', 'm', {
          rpc: {
            code: -32042,
            message: 'm',
            data: { elicitations: [{ elicitationId: 'e', url: 'https://a.example' }] },
          },
        });
      }
      if (method !== 'tools/call') return {};
      return options.onRequest?.({
        method: 'sampling/createMessage',
        params: {},
        signal: new AbortController().signal,
      });
    });
    const serving = talk.serve('files');
    const refused = await talk.modern('tools/call', { name: 'read' });
    expect(refused.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } });
    expect((await talk.modern('prompts/get', { name: 'p' })).error?.code).toBe(-32021);
    const opened = await talk.modern('prompts/get', { name: 'p' }, { elicitation: { url: {} } });
    expect(opened.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { e: { params: { mode: 'url' } } },
    });
    for (const method of ['ping', 'initialize', 'logging/setLevel', 'resources/subscribe']) {
      expect((await talk.modern(method)).error?.code).toBe(-32601);
    }
    await talk.end(serving);
  });
});

describe('several servers as one', () => {
  it('greet, list, get, read and complete under merged names, and tell of real changes', async () => {
    const talk = converse(
      ({ method, params }) => {
        switch (method) {
          case 'prompts/list':
            return { prompts: [{ name: 'p' }] };
          case 'resources/list':
            return { resources: [{ uri: 'x://1', name: 'one' }] };
          case 'resources/templates/list':
            return { resourceTemplates: [] };
          default:
            return { echoed: params };
        }
      },
      { ...STATEFUL },
    );
    const serving = talk.serve();
    expect((await talk.modern('server/discover')).result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { subscribe: true } },
      instructions: expect.stringContaining('files'),
    });
    await talk.initialize();
    expect((await talk.ask('prompts/list')).result).toMatchObject({ prompts: [{ name: 'files__p' }] });
    expect((await talk.ask('prompts/get', { name: 'files__p' })).result).toMatchObject({ echoed: { name: 'p' } });
    expect((await talk.ask('prompts/get', { name: 'p' })).error?.code).toBe(-32602);
    expect((await talk.ask('resources/read', { uri: 'x://1' })).result).toMatchObject({ echoed: { uri: 'x://1' } });
    expect((await talk.ask('resources/read', { uri: 'z://1' })).error?.code).toBe(-32002);
    expect((await talk.ask('resources/read')).error?.code).toBe(-32602);
    const ref = { type: 'ref/prompt', name: 'files__p' };
    expect((await talk.ask('completion/complete', { ref })).result).toMatchObject({
      echoed: { ref: { ...ref, name: 'p' } },
    });
    expect(
      (await talk.ask('completion/complete', { ref: { type: 'ref/resource', uri: 'x://1' } })).error,
    ).toBeUndefined();
    expect((await talk.ask('completion/complete', {})).error?.code).toBe(-32602);
    expect((await talk.ask('vendor/method')).error?.code).toBe(-32601);
    const filter = {
      notifications: { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['x://1'] },
    };
    talk.send({
      id: 'listen',
      method: 'subscriptions/listen',
      params: { ...filter, _meta: { [META_KEY.protocolVersion]: '2026-07-28', [META_KEY.clientCapabilities]: {} } },
    });
    const acknowledged = await talk.until((line) => line.method === 'notifications/subscriptions/acknowledged');
    expect(acknowledged.params).toMatchObject({ ...filter, _meta: { [META_KEY.subscriptionId]: 'listen' } });
    const heard = () => talk.lines.filter((line) => line.method === 'notifications/tools/list_changed').length;
    const entry = { server: files, tools: [sampleTool(files, 'read')] };
    talk.publish({ version: 2, entries: [entry] });
    expect(heard()).toBe(0);
    talk.publish({ version: 3, entries: [{ ...entry, tools: [sampleTool(files, 'write')] }] });
    await expect.poll(heard).toBe(2);
    expect((await talk.modern('subscriptions/listen', {})).error?.code).toBe(-32602);
    const listenTo = (resourceSubscriptions: readonly string[]) =>
      talk.modern('subscriptions/listen', { notifications: { resourceSubscriptions } });
    expect((await listenTo([`x://${'a'.repeat(8192)}`])).error).toMatchObject({ code: -32602 });
    expect((await listenTo(Array.from({ length: 1001 }, (_, at) => `x://${at}`))).error).toMatchObject({
      data: { code: 'RATE_LIMITED' },
    });
    talk.gateway.beginStopping();
    expect((await talk.until((line) => line.id === 'listen')).result).toMatchObject({ resultType: 'complete' });
    await talk.end(serving);
  });
});
