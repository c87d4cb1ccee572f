import { buildNotification, buildRequest, isJsonObject, revisionOf, type JsonRpcNotification } from '@plugboard/wire';
import { describe, expect, test } from 'vitest';
import { rpcError } from '../error/rpc-error.js';
import { ScriptedTransport } from '../test-support/scripted-transport.js';
import { sendCall, type Attempt } from '../call/send-call.js';
import { Inbox } from './inbox.js';
import { fulfilInput, isInputRequired } from '../call/input-required.js';
import { listPages } from '../call/list-pages.js';
import type { LiveSession } from './live-session.js';
import { announcedChanges } from './notification-feed.js';
import { ANY_METHOD, ServerRequests } from './server-requests.js';
import { subscribe } from './subscription.js';

const { signal } = new AbortController();

const liveOver = (transport: ScriptedTransport, id: '2025-11-25' | '2026-07-28' = '2025-11-25'): LiveSession => ({
  generation: 1,
  transport,
  agreement: {
    revision: revisionOf(id),
    version: id,
    serverInfo: undefined,
    capabilities: {},
    instructions: undefined,
  },
  protocol: { era: 'legacy', revision: id, transport: transport.kind, checked_at: '2026-01-01T00:00:00Z' },
});

const identity = { clientInfo: { name: 'c' }, capabilities: {} };
let lastId = 0;
const nextId = (): number => (lastId += 1);

const exchangeOptions = (change: Partial<Attempt> = {}): Attempt => ({
  method: 'tools/call',
  params: { name: 't' },
  signal,
  deadlineMs: 1_000,
  maxMs: 10_000,
  onIncoming: () => undefined,
  identity: () => identity,
  nextId,
  host: 'host',
  redact: (text) => text,
  ...change,
});

describe('sendCall', () => {
  test('gives the result; other notifications go their way', async () => {
    const seen: string[] = [];
    const progress: unknown[] = [];
    const transport = new ScriptedTransport((message, exchange) => {
      const tell = (method: string, params: object): void =>
        exchange.onIncoming({ kind: 'notification', message: buildNotification(method, params) });
      tell('notifications/progress', { progressToken: message.id, progress: 1, total: 2, message: 'half' });
      tell('notifications/progress', { progressToken: message.id, progress: 'x' });
      tell('notifications/progress', { progressToken: 'other', progress: 1 });
      tell('notifications/message', {});
      exchange.onActivity?.();
      return { result: { ok: true } };
    });
    const activity: string[] = [];
    const result = await sendCall(
      liveOver(transport),
      exchangeOptions({
        onProgress: (value) => progress.push(value),
        onLife: () => activity.push('progress'),
        onIncoming: ({ message }) => seen.push(message.method),
      }),
    );
    expect(result).toEqual({ ok: true });
    expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }, { progress: 0 }]);
    expect(seen).toEqual(['notifications/progress', 'notifications/message']);
    expect(activity).toEqual(['progress', 'progress']);
    expect(transport.sent[0]).toMatchObject({
      params: { name: 't', _meta: { progressToken: expect.any(Number) as number } },
    });
  });

  test.each([
    ['2025-11-25', 'streamable_http', true],
    ['2026-07-28', 'streamable_http', false],
    ['2026-07-28', 'stdio', true],
  ] as const)('a deadline of %s over %s is told to the server: %j', async (id, kind, told) => {
    const transport = new ScriptedTransport(() => 'hang', kind);
    await expect(sendCall(liveOver(transport, id), exchangeOptions({ deadlineMs: 5 }))).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      delivery: 'ambiguous',
    });
    await Promise.resolve();
    expect(transport.methods.includes('notifications/cancelled')).toBe(told);
  });

  test.each([
    ['2025-11-25', { code: -32022, message: 'Unsupported' }],
    ['2025-11-25', { code: -32602, message: '_meta["io.modelcontextprotocol/protocolVersion"] is required' }],
    ['2026-07-28', { code: -32000, message: 'Bad Request: Unsupported protocol version' }],
    ['2026-07-28', { code: -32022, message: 'Unsupported' }],
  ] as const)('a server of %s that turned to the other era has lost the session', async (id, error) => {
    const transport = new ScriptedTransport(() => ({ error }));
    await expect(sendCall(liveOver(transport, id), exchangeOptions())).rejects.toMatchObject({
      code: 'SESSION_LOST',
    });
  });

  test('any other error is the answer', async () => {
    const transport = new ScriptedTransport(() => ({ error: { code: -32602, message: 'no such tool' } }));
    await expect(sendCall(liveOver(transport), exchangeOptions())).rejects.toMatchObject({ rpc: { code: -32602 } });
  });
});

describe('Inbox and ServerRequests', () => {
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('answers with the handler of the method, of the call, or of the rest', async () => {
    const inbox = new Inbox({ mayAsk: () => true });
    const transport = new ScriptedTransport(() => ({}));
    inbox.requests.register('roots/list', () => ({ roots: [] }));
    const remove = inbox.requests.register(ANY_METHOD, () => undefined);
    inbox.receive({ kind: 'request', message: buildRequest(1, 'roots/list') }, transport);
    inbox.receive({ kind: 'request', message: buildRequest(2, 'vendor/x') }, transport);
    inbox.receive({ kind: 'request', message: buildRequest(3, 'roots/list') }, transport, {
      onRequest: () => ({ own: true }),
    });
    await settle();
    remove();
    inbox.receive({ kind: 'request', message: buildRequest(4, 'vendor/x') }, transport);
    inbox.receive({ kind: 'request', message: buildRequest(5, 'ping') }, transport);
    await settle();
    expect(transport.sent).toEqual([
      { jsonrpc: '2.0', id: 1, result: { roots: [] } },
      { jsonrpc: '2.0', id: 2, result: {} },
      { jsonrpc: '2.0', id: 3, result: { own: true } },
      { jsonrpc: '2.0', id: 4, error: { code: -32601, message: expect.any(String) as string } },
      { jsonrpc: '2.0', id: 5, result: {} },
    ]);
  });

  test('a server that may not ask gets no answer', async () => {
    const inbox = new Inbox({ mayAsk: () => false });
    const transport = new ScriptedTransport(() => ({}));
    inbox.receive({ kind: 'request', message: buildRequest(1, 'ping') }, transport);
    await settle();
    expect(transport.sent).toEqual([]);
  });

  test('a handler that fails says no more than it must', async () => {
    const requests = new ServerRequests();
    requests.register('a', () => Promise.reject(new Error('password=hunter2')));
    requests.register('b', () => Promise.reject(rpcError({ code: -1, message: 'User rejected' }, (text) => text)));
    expect(JSON.stringify(await requests.answer(buildRequest(1, 'a')))).not.toContain('hunter2');
    expect(await requests.answer(buildRequest(2, 'b'))).toMatchObject({
      error: { code: -1, message: 'User rejected' },
    });
  });

  test('a request that the server takes back is aborted, and all are at the end', async () => {
    const inbox = new Inbox({ mayAsk: () => true });
    const transport = new ScriptedTransport(() => ({}));
    const aborted: unknown[] = [];
    inbox.requests.register('slow', ({ params, signal: taken }) => {
      return new Promise((resolve) => {
        taken.addEventListener('abort', () => {
          aborted.push(params);
          resolve({});
        });
      });
    });
    inbox.receive({ kind: 'request', message: buildRequest(1, 'slow', 'first') }, transport);
    inbox.receive({ kind: 'request', message: buildRequest(2, 'slow', 'second') }, transport);
    inbox.receive(
      { kind: 'notification', message: buildNotification('notifications/cancelled', { requestId: 1 }) },
      transport,
    );
    inbox.receive({ kind: 'notification', message: buildNotification('notifications/cancelled') }, transport);
    expect(aborted).toEqual(['first']);
    inbox.requests.cancelAll();
    expect(aborted).toEqual(['first', 'second']);
    await settle();
  });

  test('notifications reach the listeners of the call and of the client', () => {
    const inbox = new Inbox({ mayAsk: () => true });
    const heard: string[] = [];
    const listener = ({ method }: JsonRpcNotification): void => void heard.push(`all ${method}`);
    expect(inbox.isWatched).toBe(false);
    inbox.add(listener);
    expect(inbox.isWatched).toBe(true);
    const transport = new ScriptedTransport(() => ({}));
    inbox.receive({ kind: 'notification', message: buildNotification('n') }, transport, {
      onNotification: ({ method }) => heard.push(`own ${method}`),
    });
    inbox.remove(listener);
    inbox.emit(buildNotification('later'));
    expect(heard).toEqual(['own n', 'all n']);
  });

  test('handlers become capabilities, declared ones stay', () => {
    const requests = new ServerRequests();
    requests.register('elicitation/create', () => ({}));
    requests.register('sampling/createMessage', () => ({}));
    requests.register('vendor/x', () => ({}));
    expect(requests.declare({ elicitation: { form: {} }, experimental: {} })).toEqual({
      sampling: {},
      elicitation: { form: {} },
      experimental: {},
    });
  });
});

describe('listPages', () => {
  test('follows cursors to the end, in order', async () => {
    const asked: unknown[] = [];
    const items = await listPages('tools/list', 'tools', async (params) => {
      asked.push(params);
      const page = asked.length;
      return { tools: [page * 10, page * 10 + 1], ...(page < 3 ? { nextCursor: `c${page}` } : { nextCursor: '' }) };
    });
    expect(items).toEqual([10, 11, 20, 21, 30, 31]);
    expect(asked).toEqual([undefined, { cursor: 'c1' }, { cursor: 'c2' }]);
  });

  test.each([
    ['no object', 'text'],
    ['no list', { tools: {} }],
  ])('%s is an error', async (_what, answer) => {
    await expect(listPages('tools/list', 'tools', async () => answer)).rejects.toMatchObject({
      code: 'UPSTREAM_PROTOCOL',
    });
  });

  test('cursors that go in circles, or never end, are errors', async () => {
    let page = 0;
    await expect(
      listPages('tools/list', 'tools', async () => ({ tools: [], nextCursor: `c${(page += 1) % 3}` })),
    ).rejects.toThrow('the same cursor twice');
    await expect(
      listPages('tools/list', 'tools', async () => ({ tools: [], nextCursor: `c${(page += 1)}` })),
    ).rejects.toThrow('pages');
  });
});

describe('fulfilInput', () => {
  const asks = (extra: object = {}) => ({ resultType: 'input_required', ...extra });

  test('answers what is asked, echoes the state, and starts from the original each time', async () => {
    const requests = new ServerRequests();
    requests.register('roots/list', () => ({ roots: ['r'] }));
    const sent: unknown[] = [];
    const results = [
      asks({ inputRequests: { a: { method: 'roots/list' } }, requestState: 's1' }),
      asks({ requestState: 's2' }),
      { resultType: 'complete', ok: true },
    ];
    const result = await fulfilInput({
      params: { name: 't' },
      requests,
      signal,
      send: async (params) => {
        sent.push(params);
        return results.shift();
      },
    });
    expect(result).toEqual({ resultType: 'complete', ok: true });
    expect(sent).toEqual([
      { name: 't' },
      { name: 't', inputResponses: { a: { roots: ['r'] } }, requestState: 's1' },
      { name: 't', requestState: 's2' },
    ]);
  });

  test.each([[{ a: { method: 'roots/list' } }], [{ a: 7 }], [{ a: { method: 7 } }]])(
    '%j without a handler is an error',
    async (inputRequests) => {
      const failing = fulfilInput({
        params: {},
        requests: new ServerRequests(),
        signal,
        send: async () => asks({ inputRequests }),
      });
      await expect(failing).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL', delivery: 'answered' });
    },
  );

  test('a flood of questions is an error', async () => {
    const requests = new ServerRequests();
    let asked = 0;
    requests.register('roots/list', () => (asked += 1));
    const inputRequests = Object.fromEntries(Array.from({ length: 257 }, (_, key) => [key, { method: 'roots/list' }]));
    const failing = fulfilInput({ params: {}, requests, signal, send: async () => asks({ inputRequests }) });
    await expect(failing).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL', message: expect.stringContaining('256') });
    expect(asked).toBe(0);
  });

  test('only input_required is input_required', () => {
    expect([asks(), { resultType: 'task' }, {}, undefined].map(isInputRequired)).toEqual([true, false, false, false]);
  });
});

describe('subscriptions', () => {
  const options = (change: object = {}) => ({
    filter: { toolsListChanged: true },
    identity,
    nextId,
    redact: (text: string) => text,
    opening: signal,
    life: [signal],
    onNotification: () => undefined,
    ...change,
  });
  const ack = buildNotification('notifications/subscriptions/acknowledged', {
    notifications: { toolsListChanged: true },
  });

  test('an old server has none', async () => {
    const transport = new ScriptedTransport(() => ({}));
    await expect(subscribe(liveOver(transport), options())).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
  });

  test('resolve when acknowledged, tell what comes, and end with the life of the client', async () => {
    const life = new AbortController();
    const heard: string[] = [];
    const transport = new ScriptedTransport((message, exchange) => {
      exchange.onIncoming({ kind: 'request', message: buildRequest(1, 'ping') });
      exchange.onIncoming({ kind: 'notification', message: ack });
      exchange.onIncoming({ kind: 'notification', message: buildNotification('notifications/tools/list_changed') });
      return 'hang';
    });
    const subscription = await subscribe(
      liveOver(transport, '2026-07-28'),
      options({
        life: [undefined, life.signal],
        onNotification: ({ method }: JsonRpcNotification) => heard.push(method),
      }),
    );
    expect(subscription.honoured).toEqual({ toolsListChanged: true });
    expect(heard).toEqual(['notifications/tools/list_changed']);
    expect(isJsonObject((transport.sent[0] as { params: unknown }).params)).toBe(true);
    life.abort();
    expect(await subscription.closed).toBe('local');
  });

  test('fail when refused or when nobody acknowledges', async () => {
    const refusing = new ScriptedTransport(() => ({ error: { code: -32603, message: 'too many' } }));
    await expect(subscribe(liveOver(refusing, '2026-07-28'), options())).rejects.toMatchObject({
      rpc: { code: -32603 },
    });
    const silent = new ScriptedTransport(() => 'hang');
    await expect(
      subscribe(liveOver(silent, '2026-07-28'), options({ opening: AbortSignal.timeout(5) })),
    ).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

test('only announced changes are listened for', () => {
  expect(announcedChanges({})).toBeUndefined();
  expect(announcedChanges({ tools: { listChanged: true }, prompts: {}, resources: { listChanged: true } })).toEqual({
    toolsListChanged: true,
    resourcesListChanged: true,
  });
});
