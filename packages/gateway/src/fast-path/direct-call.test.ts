import type { DirectMessage } from '@plugboard/client';
import { META_KEY } from '@plugboard/wire';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FlowWatch, FollowedMessage } from '../call/flow-watch.js';
import type { RelayPath } from '../call/relay-path.js';
import type { Gateway } from '../gateway.js';
import type { CallRecord } from '../pipeline/observe/call-record.js';
import type { StepOptions } from '../pipeline/step-options.js';
import { FakeLine, type LineAnswer } from '../test-support/fake-line.js';
import { sampleServer } from '../test-support/catalogue.js';
import { greeting, openEndpoints } from '../test-support/open-endpoints.js';
import type { Recorded } from '../test-support/recording-client.js';
import { MODERN_TASKS } from '../connection/task-support.js';

let gateway: Gateway | undefined;
afterEach(() => gateway?.close());

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const text = (words: string, more: object = {}) => ({ content: [{ type: 'text', text: words }], ...more });
const answering =
  (result: object): LineAnswer =>
  ({ id }: DirectMessage) =>
    JSON.stringify({ jsonrpc: '2.0', id, result });
const fine = answering(text('fast'));

interface RigOptions {
  readonly answer?: LineAnswer;
  readonly steps?: Partial<StepOptions>;
  readonly flows?: FlowWatch;
  readonly modern?: boolean;
}

const rig = ({ answer = fine, steps = {}, flows, modern = false }: RigOptions = {}) => {
  const told: CallRecord[] = [];
  const paths: RelayPath[] = [];
  const asked: Recorded[] = [];
  const revision = modern ? '2026-07-28' : '2025-11-25';
  const era = modern ? 'modern' : 'legacy';
  const line = new FakeLine(answer, revision, era);
  const options = {
    sinks: [(record: CallRecord) => told.push(record)],
    limits: {},
    maxArgumentBytes: 1000,
    maxResultBytes: 1_000_000,
    onPath: (path: RelayPath) => paths.push(path),
    ...steps,
  };
  const full = (request: Recorded) => {
    asked.push(request);
    return text('full', modern ? { resultType: 'complete' } : {});
  };
  const endpoints = openEndpoints(full, { protocol: { era, revision }, direct: line }, options, flows);
  ({ gateway } = endpoints);
  const calling = (id: unknown = 1, more: object = {}, name = 'files__read') => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: { path: 'a' }, ...more },
  });
  /** A session whose connection to the server is open: its greeting opened it. */
  const connected = endpoints.open;
  return { ...endpoints, told, paths, asked, line, calling, connected };
};

const sent = ({ body }: DirectMessage) => JSON.parse(body.toString()) as Record<string, unknown>;

describe('a call on the fast path', () => {
  it.each([1, 'a "b" é', ''])(
    'goes out under an id of the connection and comes back under its own (%j)',
    async (id) => {
      const { post, calling, connected, line, told, paths, asked } = rig();
      const answer = await post(calling(id), await connected());
      expect(answer.json()).toEqual({ jsonrpc: '2.0', id, result: text('fast') });
      expect(line.posted.map(sent)).toMatchObject([{ id: 101, params: { name: 'read', arguments: { path: 'a' } } }]);
      expect([paths, asked]).toEqual([['fast'], []]);
      expect(told).toMatchObject([
        { method: 'tools/call', server: 'files', tool: 'read', outcome: 'ok', era: 'legacy' },
      ]);
      expect(told[0]?.args).toEqual({ path: 'a' });
    },
  );

  it.each([
    ['a tool that is not offered', { name: 'files__none' }, {}, 'tool'],
    ['arguments that are too large', { arguments: { path: 'x'.repeat(1200) } }, {}, 'arguments'],
    ['another session', {}, { 'mcp-session-id': 'unknown' }, 'session'],
    ['a member that nobody expects', { name: 1 }, {}, 'message'],
  ])('leaves %s to the full path', async (_what, params, headers, path) => {
    const { post, calling, connected, paths, line } = rig();
    await post(calling(1, params), { ...(await connected()), ...headers });
    expect([paths, line.posted]).toEqual([[path], []]);
  });

  it('tells of a result that is an error, and that the list of tools may be old', async () => {
    const suspected = vi.fn();
    const { post, calling, connected, told, upstream } = rig({
      answer: answering(text('Unknown tool: read', { isError: true })),
    });
    upstream.onToolsChanged(suspected);
    const answer = await post(calling(), await connected());
    expect(answer.json()).toMatchObject({ result: { isError: true } });
    expect(told).toMatchObject([{ outcome: 'tool_error' }]);
    expect(suspected).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['an error', ({ id }: DirectMessage) => JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message: 'm' } })],
    ['the answer to another request', () => JSON.stringify({ jsonrpc: '2.0', id: 5, result: text('x') })],
    ['a result that is too large', answering(text('x'.repeat(1_100_000)))],
  ])('goes on on the full path, without being sent again, with %s', async (_what, answer) => {
    const { post, calling, connected, paths, asked, line, told } = rig({ answer });
    const answered = await post(calling(7), await connected());
    expect(answered.json()).toMatchObject({ id: 7, result: text('full') });
    expect(paths).toEqual(['unusual']);
    expect(asked.map(({ options }) => options.underWay?.id)).toEqual([101]);
    expect(told).toMatchObject([{ outcome: 'ok', tool: 'read' }]);
    await expect.poll(() => line.dropped).toBe(1);
  });

  it('takes the full path when the server may not be called at once', async () => {
    const { post, calling, connected, paths, line } = rig();
    const session = await connected();
    line.isFull = true;
    expect((await post(calling(), session)).json()).toMatchObject({ result: text('full') });
    expect(paths).toEqual(['limit']);
  });

  it('counts with the full path: a limit that is reached is named there', async () => {
    const { post, calling, connected, paths } = rig({ steps: { limits: { server: { perMinute: 12 } } } });
    const session = await connected();
    await post(calling(), session);
    const answers = [await post(calling(), session), await post(calling(), session)];
    expect(paths).toContain('limit');
    expect(answers.at(-1)?.json()).toMatchObject({ error: { code: -32018 } });
  });

  it('is cancelled by its client', async () => {
    const { send, post, calling, connected, line, told, ended } = rig({ answer: () => undefined });
    const session = await connected();
    const waiting = send('/mcp', { body: calling(9), headers: session });
    await expect.poll(() => line.posted.length).toBe(1);
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } }, session);
    expect((await ended(waiting)).response.statusCode).toBe(202);
    expect([line.cancelled, told]).toMatchObject([1, [{ outcome: 'CANCELLED' }]]);
  });

  it('is cancelled when its client is gone', async () => {
    const { send, calling, connected, line, told } = rig({ answer: () => undefined });
    const session = await connected();
    const waiting = send('/mcp', { body: calling(9), headers: session });
    await expect.poll(() => line.posted.length).toBe(1);
    waiting.response.destroy();
    waiting.response.emit('close');
    await expect.poll(() => line.cancelled).toBe(1);
    expect(told).toMatchObject([{ outcome: 'CANCELLED' }]);
  });

  it('continues a trace, of the metadata before that of the HTTP fields', async () => {
    const { post, calling, connected, line, told } = rig();
    const session = await connected();
    await post(calling(), { ...session, traceparent: TRACE, tracestate: 'a=1', baggage: 'b=2' });
    await post(calling(2, { _meta: { traceparent: TRACE.replace('0af7', '1bf8') } }), {
      ...session,
      traceparent: TRACE,
    });
    const [first, second] = line.posted;
    expect(first?.headers).toEqual(['traceparent', TRACE, 'tracestate', 'a=1', 'baggage', 'b=2']);
    expect(first && sent(first)).toMatchObject({ params: { _meta: { traceparent: TRACE } } });
    expect(second?.headers).toEqual(['traceparent', TRACE.replace('0af7', '1bf8')]);
    expect(told.map(({ traceId }) => traceId?.slice(0, 4))).toEqual(['0af7', '1bf8']);
  });

  it('shows its messages to those who follow it', async () => {
    const seen: FollowedMessage[] = [];
    const flows: FlowWatch = {
      followsCalls: true,
      followsMessages: true,
      newCallId: () => 'c1',
      see: (message) => void seen.push(message),
      note: () => undefined,
    };
    const { post, calling, connected, told } = rig({ flows });
    const session = await connected();
    seen.length = 0;
    await post(calling(3), session);
    const shown = seen.filter(({ callId }) => callId === 'c1');
    expect(shown.map(({ direction, server }) => [direction, server])).toEqual([
      ['received', undefined],
      ['sent', 'files'],
      ['received', 'files'],
      ['sent', undefined],
    ]);
    expect(shown.at(-1)?.message).toMatchObject({ id: 3 });
    expect(told[0]?.flow).toMatchObject({ path: 'fast', upstreamId: 101, transport: 'streamable_http' });
  });
});

describe('progress on the fast path', () => {
  const progressing =
    (...steps: readonly number[]): LineAnswer =>
    ({ id }) => [
      ...steps.map((progress) =>
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: id, progress } }),
      ),
      JSON.stringify({ jsonrpc: '2.0', id, result: text('done') }),
    ];
  const messagesIn = (stream: string): unknown[] =>
    [...stream.matchAll(/^data: (\{.*)$/gmu)].map(([, data]) => JSON.parse(data ?? '') as unknown);
  const withToken = { _meta: { progressToken: 'mine' } };

  it('is passed on with the token of the client, in order, before the answer', async () => {
    const { post, calling, connected, paths, asked, told } = rig({ answer: progressing(1, 2, 3) });
    const answer = await post(calling(5, withToken), await connected());
    expect(answer.text()).toContain('content-type: text/event-stream');
    expect(messagesIn(answer.text())).toEqual([
      ...[1, 2, 3].map((progress) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'mine', progress },
      })),
      { jsonrpc: '2.0', id: 5, result: text('done') },
    ]);
    expect([paths, asked]).toEqual([['fast'], []]);
    expect(told).toMatchObject([{ outcome: 'ok' }]);
    // The stream can be resumed, as on the full path.
    expect(answer.text()).toMatch(/^id: /mu);
  });

  it('is not told to a client that takes no streams, nor to one that gave no token', async () => {
    const { post, calling, connected, paths, asked } = rig({ answer: progressing(1) });
    const session = await connected();
    const plain = await post(calling(5, withToken), { ...session, accept: 'application/json' });
    expect(plain.json()).toEqual({ jsonrpc: '2.0', id: 5, result: text('done') });
    await post(calling(6), session);
    expect(paths).toEqual(['fast', 'unusual']);
    expect(asked).toHaveLength(1);
  });

  it('goes on in the same stream when the call turns out to be unusual', async () => {
    const { post, calling, connected, paths, asked } = rig({
      answer: ({ id }) => [
        ...(progressing(1)({ id } as DirectMessage) as string[]).slice(0, 1),
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message: 'm' } }),
      ],
    });
    const answer = await post(calling(5, withToken), await connected());
    expect(messagesIn(answer.text())).toMatchObject([
      { params: { progressToken: 'mine', progress: 1 } },
      { id: 5, result: text('full') },
    ]);
    expect([paths, asked.length]).toEqual([['unusual'], 1]);
  });

  it('does not cancel the call of a client that hangs up and can come back', async () => {
    const { send, calling, connected, line } = rig({
      answer: (message) => (progressing(1)(message) as string[]).slice(0, 1),
    });
    const waiting = send('/mcp', { body: calling(9, withToken), headers: await connected() });
    await expect.poll(() => waiting.text()).toContain('notifications/progress');
    waiting.hangUp();
    await new Promise((resolve) => setImmediate(resolve));
    expect(line.cancelled).toBe(0);
  });

  it('ends with the stream when the client cancels', async () => {
    const { send, post, calling, connected, line, ended } = rig({
      answer: (message) => (progressing(1)(message) as string[]).slice(0, 1),
    });
    const session = await connected();
    const waiting = send('/mcp', { body: calling(9, withToken), headers: session });
    await expect.poll(() => waiting.text()).toContain('notifications/progress');
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } }, session);
    await ended(waiting);
    expect(line.cancelled).toBe(1);
  });
});

describe('other requests on the fast path', () => {
  const asking = (method: string, params: object, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
  const FILES = '/servers/files/mcp';
  const REQUESTS = [
    ['resources/read', { uri: 'file:///a b' }, { contents: [{ uri: 'file:///a b', text: 'x' }] }],
    [
      'prompts/get',
      { name: 'p', arguments: { a: '1' } },
      { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] },
    ],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'x' } },
      { completion: { values: ['xy'] } },
    ],
  ] as const;
  /** A session at the endpoint of the server, whose connection is open. */
  const connectedTo = async ({ post }: ReturnType<typeof rig>) => {
    const opened = await post(asking('initialize', greeting('2025-11-25'), 0), {}, FILES);
    return { 'mcp-session-id': /mcp-session-id: (\S+)/u.exec(opened.text())?.[1] ?? '' };
  };

  it.each(REQUESTS)('%s goes out and comes back as bytes, and is counted', async (method, params, result) => {
    const opened = rig({ answer: answering(result) });
    const session = await connectedTo(opened);
    opened.told.length = 0;
    const answer = await opened.post(asking(method, params, 'mine'), session, FILES);
    expect(answer.json()).toEqual({ jsonrpc: '2.0', id: 'mine', result });
    expect(opened.line.posted.map(sent)).toEqual([{ jsonrpc: '2.0', id: 101, method, params }]);
    expect(opened.paths).toEqual(['fast']);
    expect(opened.told).toMatchObject([{ method, server: 'files', tool: undefined, outcome: 'ok' }]);
  });

  it.each(REQUESTS)('%s that has to be repaired continues on the full path', async (method, params) => {
    const opened = rig({ answer: answering({ contents: 1, messages: 1, completion: 1 }) });
    const session = await connectedTo(opened);
    await opened.post(asking(method, params), session, FILES);
    expect([opened.paths, opened.asked.map(({ options }) => options.underWay?.id)]).toEqual([['unusual'], [101]]);
  });

  it('leaves the search for whose resource it is to the full path', async () => {
    const { post, connected, paths, line } = rig();
    await post(asking('resources/read', { uri: 'file:///a' }), await connected());
    expect([paths, line.posted]).toEqual([['owner'], []]);
  });

  it('counts them with the limits of the server', async () => {
    const opened = rig({
      answer: answering({ contents: [] }),
      steps: { limits: { server: { perMinute: 1 }, tool: { perMinute: 1 } } },
    });
    const session = await connectedTo(opened);
    const read = () => opened.post(asking('resources/read', { uri: 'file:///a' }), session, FILES);
    await read();
    expect((await read()).json()).toMatchObject({ error: { code: -32018 } });
    expect(opened.paths).toEqual(['fast', 'limit']);
  });

  it.each([
    ['tells what it reads', 'file:///a', 'fast'],
    ['tells something else', 'file:///b', 'message'],
  ])('compares the fields of a modern client, which %s', async (_what, name, path) => {
    const result = { resultType: 'complete', contents: [], ttlMs: 0, cacheScope: 'private' };
    const { post, line, paths } = rig({ modern: true, answer: answering(result) });
    const meta = {
      [META_KEY.protocolVersion]: '2026-07-28',
      [META_KEY.clientCapabilities]: {},
      [META_KEY.clientInfo]: { name: 'c', version: '1' },
    };
    const body = asking('resources/read', { uri: 'file:///a', _meta: meta });
    const fields = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'resources/read' };
    await post(body, { ...fields, 'mcp-name': 'file:///a' }, FILES);
    paths.length = 0;
    await post(body, { ...fields, 'mcp-name': name }, FILES);
    expect(paths).toEqual([path]);
    const posted = path === 'fast' ? [['Mcp-Method', 'resources/read', 'Mcp-Name', 'file:///a']] : [];
    expect(line.posted.map(({ headers }) => headers)).toEqual(posted);
  });

  it.each([
    ['no hint for caches', { contents: [] }],
    ['one that is no hint', { contents: [], ttlMs: -1, cacheScope: 'private' }],
  ])('leaves a modern result with %s to the full path', async (_what, result) => {
    const { post, paths } = rig({ modern: true, answer: answering({ resultType: 'complete', ...result }) });
    const meta = {
      [META_KEY.protocolVersion]: '2026-07-28',
      [META_KEY.clientCapabilities]: {},
      [META_KEY.clientInfo]: { name: 'c', version: '1' },
    };
    const fields = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'resources/read',
      'mcp-name': 'file:///a',
    };
    const read = () => post(asking('resources/read', { uri: 'file:///a', _meta: meta }), fields, FILES);
    await read();
    await read();
    expect(paths).toEqual(['connection', 'unusual']);
  });
});

describe('a call of a legacy session to a modern server on the fast path', () => {
  const complete = answering(text('fast', { resultType: 'complete', _meta: { [META_KEY.serverInfo]: {} } }));

  it('is made in the name of the session', async () => {
    const { post, calling, connected, line, paths, upstream } = rig({ modern: true, answer: complete });
    const session = await connected();
    await post(calling(), session);
    upstream.noteRefusal(sampleServer('files', 1).id, 'refused');
    paths.length = 0;
    expect((await post(calling(4), session)).json()).toEqual({ jsonrpc: '2.0', id: 4, result: text('fast') });
    expect(paths).toEqual(['fast']);
    const [message] = line.posted.slice(-1);
    expect(message?.headers).toEqual(['Mcp-Method', 'tools/call', 'Mcp-Name', 'read']);
    expect(message && sent(message)).toMatchObject({
      params: {
        _meta: { [META_KEY.protocolVersion]: '2026-07-28', [META_KEY.clientInfo]: { name: 'c', version: '1' } },
      },
    });
  });
});

describe('a modern call on the fast path', () => {
  const meta = {
    [META_KEY.protocolVersion]: '2026-07-28',
    [META_KEY.clientCapabilities]: {},
    [META_KEY.clientInfo]: { name: 'c', version: '1' },
  };
  const fields = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'files__read' };
  const modernRig = async () => {
    const opened = rig({ modern: true, answer: answering(text('fast', { resultType: 'complete' })) });
    const body = opened.calling(1, { _meta: meta });
    await opened.post(body, fields);
    opened.paths.length = 0;
    return { ...opened, body };
  };

  it('names the tool of the server in its fields', async () => {
    const { post, body, line, paths } = await modernRig();
    const answer = await post(body, fields);
    expect(answer.json()).toMatchObject({ id: 1, result: text('fast') });
    expect(line.posted.map(({ headers }) => headers)).toEqual([['Mcp-Method', 'tools/call', 'Mcp-Name', 'read']]);
    expect(paths).toEqual(['fast']);
  });

  it('reaches a legacy server with another envelope', async () => {
    const opened = rig({ answer: answering(text('fast')) });
    const body = opened.calling(1, { _meta: { ...meta, own: 1 } });
    await opened.post(body, fields);
    expect((await opened.post(body, fields)).json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: text('fast', { resultType: 'complete', _meta: expect.anything() as unknown }),
    });
    expect(opened.paths).toEqual(['connection', 'fast']);
    expect(opened.line.posted.map(sent)).toMatchObject([{ params: { name: 'read', _meta: { own: 1 } } }]);
    expect(opened.line.posted.map(({ headers }) => headers)).toEqual([[]]);
    expect(opened.told).toMatchObject([{ era: 'modern' }, { era: 'modern', outcome: 'ok' }]);
  });

  it.each([
    ['a level for the log', { [META_KEY.logLevel]: 'info' }, 'era'],
    ['that it takes tasks', { [META_KEY.clientCapabilities]: { extensions: MODERN_TASKS } }, 'era'],
    [
      'that it can be asked, before it has a connection',
      { [META_KEY.clientCapabilities]: { roots: {} } },
      'connection',
    ],
  ])('leaves a client of a legacy server to the full path that says %s', async (_what, more, path) => {
    const opened = rig();
    await opened.post(opened.calling(1, { _meta: meta }), fields);
    await opened.post(opened.calling(1, { _meta: { ...meta, ...more } }), fields);
    expect([opened.paths, opened.line.posted]).toEqual([['connection', path], []]);
  });

  it.each([
    ['fields that say something else', { ...fields, 'mcp-name': 'files__other' }, 'message'],
    ['another version', { ...fields, 'mcp-protocol-version': '2025-11-25' }, 'message'],
    ['parameters in its fields', { ...fields, 'mcp-param-region': 'eu' }, 'param-headers'],
  ])('leaves %s to the full path', async (_what, headers, path) => {
    const { post, body, line, paths } = await modernRig();
    await post(body, headers);
    expect([paths, line.posted]).toEqual([[path], []]);
  });
});
