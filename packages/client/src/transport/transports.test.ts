import { PassThrough } from 'node:stream';
import { deferred } from '@plugboard/base';
import {
  buildNotification,
  buildRequest,
  buildResult,
  encodeLine,
  revisionOf,
  type JsonRpcMessage,
} from '@plugboard/wire';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ExitReport } from '../error/exit-report.js';
import { eventOf, scriptedDispatcher, type Script } from '../test-support/scripted-dispatcher.js';
import { configHeaders, headerFields } from './config-headers.js';
import { HttpChannel } from './http-channel.js';
import { bypassesProxy, createDispatcher } from '../network/http-dispatcher.js';
import { HttpSseTransport } from './http-sse.js';
import { PostSseTransport } from './post-sse.js';
import { StdioTransport } from './stdio.js';
import type { Exchange, Incoming } from './transport.js';

// One for each test: requests that a test leaves open listen to it.
let { signal } = new AbortController();
beforeEach(() => {
  ({ signal } = new AbortController());
});
const exchange = (change: Partial<Exchange> = {}): Exchange => ({ signal, onIncoming: () => undefined, ...change });
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('stdio', () => {
  const rig = async (maxLineBytes?: number) => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const exit = deferred<ExitReport>();
    const incoming: Incoming[] = [];
    const noise: string[] = [];
    const lost: unknown[] = [];
    let stops = 0;
    const transport = new StdioTransport({
      name: 'child',
      maxLineBytes,
      launch: async () => ({
        pid: 1,
        stdin,
        stdout,
        stderrTail: () => [],
        exited: exit.promise,
        stop: async () => {
          stops += 1;
          stdout.destroy();
          exit.resolve({ code: 0, signal: null, reason: 'stopped', stderrTail: [] });
        },
      }),
      events: {
        onIncoming: (message) => incoming.push(message),
        onNoise: (text) => noise.push(text),
        onLost: (cause) => lost.push(cause),
      },
    });
    await transport.open(signal);
    const say = (message: JsonRpcMessage): void => void stdout.write(encodeLine(message));
    return { transport, stdin, stdout, exit, incoming, noise, lost, say, stops: () => stops };
  };
  const died: ExitReport = { code: 1, signal: null, reason: 'exited', stderrTail: ['boom'] };

  test('answers find their requests, in any order', async () => {
    const { transport, say, stdin } = await rig();
    let sent = '';
    stdin.on('data', (part: Buffer) => (sent += String(part)));
    const [first, second] = [
      transport.request(buildRequest(1, 'a'), exchange()),
      transport.request(buildRequest(2, 'b'), exchange()),
    ];
    await settle();
    expect(sent).toBe(`${encodeLine(buildRequest(1, 'a'))}${encodeLine(buildRequest(2, 'b'))}`);
    say(buildResult(2, 'second'));
    say(buildResult(1, 'first'));
    say(buildResult(1, 'again'));
    expect(await Promise.all([first, second])).toEqual([buildResult(1, 'first'), buildResult(2, 'second')]);
    await transport.close();
  });

  test('notifications go to the request they name, requests to the only one, the rest to all', async () => {
    const { transport, say, incoming, noise, stdout } = await rig();
    const own: string[] = [];
    const call = transport.request(
      buildRequest(1, 'a'),
      exchange({ onIncoming: ({ message }) => own.push(message.method) }),
    );
    await settle();
    say(buildNotification('notifications/progress', { progressToken: 1 }));
    say(
      buildNotification('notifications/resources/updated', { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } }),
    );
    say(buildRequest(9, 'roots/list'));
    say(buildNotification('notifications/tools/list_changed'));
    stdout.write('noise\n');
    say(buildResult(1, {}));
    await call;
    say(buildRequest(10, 'ping'));
    await settle();
    expect(own).toEqual(['notifications/progress', 'notifications/resources/updated', 'roots/list']);
    expect(incoming.map(({ message }) => message.method)).toEqual(['notifications/tools/list_changed', 'ping']);
    expect(noise).toEqual(['noise']);
    await transport.close();
  });

  test('a child that dies leaves open what it did with what it had', async () => {
    const { transport, stdout, exit, lost } = await rig();
    const call = transport.request(buildRequest(1, 'a'), exchange());
    call.catch(() => undefined);
    await settle();
    stdout.destroy();
    exit.resolve(died);
    await expect(call).rejects.toMatchObject({
      code: 'PROCESS_EXITED',
      delivery: 'ambiguous',
      details: { stderr_tail: 'boom' },
    });
    await expect(transport.request(buildRequest(2, 'a'), exchange())).rejects.toMatchObject({
      delivery: 'not-executed',
    });
    expect(lost).toHaveLength(1);
  });

  test('what the dead child had still said is heard', async () => {
    const { transport, say, stdout, exit } = await rig();
    const call = transport.request(buildRequest(1, 'a'), exchange());
    await settle();
    say(buildResult(1, 'last words'));
    exit.resolve(died);
    stdout.end();
    expect(await call).toEqual(buildResult(1, 'last words'));
  });

  test('a line that could not be written was not executed', async () => {
    const { transport, stdin } = await rig();
    stdin.destroy();
    await expect(transport.request(buildRequest(1, 'a'), exchange())).rejects.toMatchObject({
      delivery: 'not-executed',
    });
    await expect(transport.send(buildNotification('n'), signal)).rejects.toMatchObject({ code: 'PROCESS_EXITED' });
    const failing = await rig();
    failing.stdin.write = ((_line: string, callback: (error: Error) => void) => {
      callback(new Error('EPIPE'));
      return false;
    }) as typeof failing.stdin.write;
    await expect(failing.transport.request(buildRequest(1, 'a'), exchange())).rejects.toMatchObject({
      delivery: 'not-executed',
    });
  });

  test('a child that only closes its output is stopped', async () => {
    const { transport, stdout, stops, lost } = await rig();
    stdout.destroy();
    await expect.poll(() => lost.length, { timeout: 20_000 }).toBe(1);
    expect(stops()).toBe(1);
    transport.adopt();
  });

  test('a line beyond the bound is told', async () => {
    const { stdout, noise, transport } = await rig(10);
    stdout.write(`${'x'.repeat(20)}\n`);
    await settle();
    expect(noise).toEqual(['a line of 20 bytes was dropped']);
    await transport.close();
  });

  test('aborted before or while it waits', async () => {
    const { transport } = await rig();
    await expect(
      transport.request(buildRequest(1, 'a'), exchange({ signal: AbortSignal.abort() })),
    ).rejects.toMatchObject({ delivery: 'not-executed' });
    await expect(transport.open(AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' });
    const controller = new AbortController();
    const call = transport.request(buildRequest(2, 'a'), exchange({ signal: controller.signal }));
    await settle();
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED', delivery: 'ambiguous' });
    await transport.close();
  });

  test('a program that cannot be started', async () => {
    const transport = new StdioTransport({
      name: 'x',
      launch: () => Promise.reject(new Error('ENOENT')),
      events: { onIncoming: () => undefined, onLost: () => undefined },
    });
    await expect(transport.open(signal)).rejects.toMatchObject({ delivery: 'not-executed' });
    await expect(transport.close()).resolves.toBeUndefined();
  });
});

describe('HTTP+SSE', () => {
  const rig = (post: Script, first = 'event: endpoint\ndata: /messages?sessionId=7\n\n') => {
    const pieces: string[] = [first];
    let wake = deferred<undefined>();
    let ended = false;
    const push = (piece: string): void => {
      pieces.push(piece);
      wake.resolve(undefined);
    };
    const end = (): void => {
      ended = true;
      wake.resolve(undefined);
    };
    async function* stream(): AsyncGenerator<string> {
      for (;;) {
        for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
          yield piece;
        }
        if (ended) return;
        wake = deferred();
        await wake.promise;
      }
    }
    const scripted = scriptedDispatcher((request) => (request.method === 'GET' ? { body: stream() } : post(request)));
    const incoming: Incoming[] = [];
    const noise: string[] = [];
    const lost: unknown[] = [];
    const transport = new HttpSseTransport({
      channel: new HttpChannel({ dispatcher: scripted.dispatcher, headers: {} }),
      url: new URL('http://host:1/sse'),
      events: {
        onIncoming: (message) => incoming.push(message),
        onNoise: (text) => noise.push(text),
        onLost: (cause) => lost.push(cause),
      },
      redact: (text) => text,
    });
    return { ...scripted, transport, push, end, incoming, noise, lost };
  };

  test('posts to the address that the stream names, and hears the answer there', async () => {
    const { transport, push, seen, incoming, noise } = rig(() => ({ status: 202 }));
    await transport.open(signal);
    expect(transport.sessionId).toBe('7');
    transport.adopt(revisionOf('2025-06-18'));
    const call = transport.request(buildRequest(1, 'a'), exchange());
    push(`${eventOf(buildNotification('n'))}data: rubbish\n\n${eventOf(buildResult(1, 'x'))}`);
    expect(await call).toEqual(buildResult(1, 'x'));
    expect(seen[1]).toMatchObject({
      method: 'POST',
      path: '/messages?sessionId=7',
      headers: { 'MCP-Protocol-Version': '2025-06-18' },
    });
    expect([incoming.length, noise.length]).toEqual([1, 1]);
    await transport.send(buildResult(5, {}), signal);
    await transport.close();
  });

  test('an answer on the spot is an answer too', async () => {
    const { transport } = rig(() => ({ body: buildResult(1, 'here') }));
    await transport.open(signal);
    expect(await transport.request(buildRequest(1, 'a'), exchange())).toEqual(buildResult(1, 'here'));
    await transport.close();
  });

  test('a refusal of the message is told at once', async () => {
    const { transport } = rig(() => ({
      status: 400,
      body: { jsonrpc: '2.0', id: null, error: { code: -32602, message: 'bad' } },
    }));
    await transport.open(signal);
    expect(await transport.request(buildRequest(1, 'a'), exchange())).toMatchObject({ id: 1, error: { code: -32602 } });
    await transport.close();
  });

  test('a lost session: 404 for the message, or an answer that says so', async () => {
    const gone = rig(() => ({ status: 404 }));
    await gone.transport.open(signal);
    gone.transport.adopt(revisionOf('2024-11-05'));
    await expect(gone.transport.request(buildRequest(1, 'a'), exchange())).rejects.toMatchObject({
      code: 'SESSION_LOST',
    });
    const told = rig(() => ({
      body: { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Session not found' } },
    }));
    await told.transport.open(signal);
    told.transport.adopt(revisionOf('2024-11-05'));
    await expect(told.transport.request(buildRequest(1, 'a'), exchange())).rejects.toMatchObject({
      code: 'SESSION_LOST',
    });
  });

  test('a stream that ends takes what waits with it', async () => {
    const { transport, end, lost } = rig(() => ({ status: 202 }));
    await transport.open(signal);
    const call = transport.request(buildRequest(1, 'a'), exchange());
    call.catch(() => undefined);
    await settle();
    end();
    await expect(call).rejects.toMatchObject({ code: 'UPSTREAM_CLOSED', delivery: 'ambiguous' });
    await expect(transport.request(buildRequest(2, 'a'), exchange())).rejects.toMatchObject({
      delivery: 'not-executed',
    });
    expect(lost).toHaveLength(1);
    await transport.close();
  });

  test.each([
    ['another origin', 'event: endpoint\ndata: http://evil:1/x\n\n', 'UPSTREAM_PROTOCOL'],
    ['no address', 'event: endpoint\ndata: http://[\n\n', 'UPSTREAM_PROTOCOL'],
  ])('an endpoint at %s is refused', async (_what, first, code) => {
    const { transport } = rig(() => ({}), first);
    await expect(transport.open(signal)).rejects.toMatchObject({ code, delivery: 'not-executed' });
  });

  test('a stream that names nothing ends at the deadline', async () => {
    const { transport } = rig(() => ({}), ': hello\n\n');
    await expect(transport.open(AbortSignal.timeout(10))).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  test.each([
    ['404', { status: 404 }, 'UPSTREAM_WRONG_URL'],
    ['a page', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'UPSTREAM_NOT_MCP'],
  ])('%s in place of the stream', async (_what, answer, code) => {
    const { dispatcher } = scriptedDispatcher(() => answer);
    const transport = new HttpSseTransport({
      channel: new HttpChannel({ dispatcher, headers: {} }),
      url: new URL('http://host:1/sse'),
      events: { onIncoming: () => undefined, onLost: () => undefined },
      redact: (text) => text,
    });
    await expect(transport.open(signal)).rejects.toMatchObject({ code });
  });
});

describe('the profile of POST /sse', () => {
  const rig = (script: Script) => {
    const scripted = scriptedDispatcher(script);
    const transport = new PostSseTransport({
      channel: new HttpChannel({ dispatcher: scripted.dispatcher, headers: {} }),
      url: new URL('http://host:1/sse'),
      events: { onIncoming: () => undefined, onLost: () => undefined },
      redact: (text) => text,
    });
    return { ...scripted, transport };
  };
  async function* one(message: unknown): AsyncGenerator<string> {
    yield eventOf(message);
  }

  test('uses its own names and the session that the server gave', async () => {
    const { transport, seen } = rig(({ body }) => {
      const { id, method } = body as { id: number; method: string };
      return { body: one(buildResult(id, { method })), headers: { 'x-session-id': 'x1' } };
    });
    await transport.open();
    await transport.request(buildRequest(1, 'initialize'), exchange());
    transport.adopt();
    expect(await transport.request(buildRequest(2, 'tools/list'), exchange())).toMatchObject({
      result: { method: 'list_tools' },
    });
    expect(await transport.request(buildRequest(3, 'tools/call', { name: 'a' }), exchange())).toMatchObject({
      result: { method: 'call_tool' },
    });
    expect(seen[2]?.headers['x-session-id']).toBe('x1');
    expect(transport.sessionId).toBe('x1');
    await transport.send();
    await transport.close();
    expect(transport.sessionId).toBeUndefined();
  });

  test.each([
    { status: 400 },
    { body: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'x' } } },
    { body: 'ok' },
  ])('a server without a handshake (%j) gets a session of our naming', async (answer) => {
    const { transport } = rig(() => answer);
    expect(await transport.request(buildRequest(1, 'initialize'), exchange())).toMatchObject({
      result: { protocolVersion: '2024-11-05' },
    });
    expect(transport.sessionId).toMatch(/^[0-9a-f-]{36}$/u);
  });

  test('fails where it must', async () => {
    const { transport } = rig(() => ({ status: 401 }));
    await expect(transport.request(buildRequest(1, 'initialize'), exchange())).rejects.toMatchObject({
      code: 'UPSTREAM_AUTH',
    });
    await expect(transport.request(buildRequest(1, 'prompts/list'), exchange())).rejects.toMatchObject({
      code: 'METHOD_NOT_FOUND',
    });
    const lost = rig(() => ({ status: 404 }));
    lost.transport.adopt();
    await expect(lost.transport.request(buildRequest(1, 'tools/list'), exchange())).rejects.toMatchObject({
      code: 'SESSION_LOST',
    });
  });
});

describe('headers of a config', () => {
  const config = { mcp_server_type: 'sse' as const, server_url: 'http://host/sse' };

  test.each([
    [{}, {}],
    [{ auth_token: 'abc' }, { authorization: 'Bearer abc' }],
    [{ auth_token: 'Bearer abc' }, { authorization: 'Bearer abc' }],
    [{ auth_token: 'Basic abc' }, { authorization: 'Basic abc' }],
    [{ auth_token: 'abc', auth_header: 'X-API-Key' }, { 'x-api-key': 'abc' }],
    [
      { auth_token: 'abc', custom_headers: { 'X-Other': 'o' } },
      { authorization: 'Bearer abc', 'x-other': 'o' },
    ],
    [{ auth_token: 'abc', custom_headers: { Authorization: 'mine' } }, { authorization: 'Bearer abc' }],
    [{ auth_token: null, auth_header: null, custom_headers: null }, {}],
  ])('%j → %j', (fields, expected) => {
    expect(headerFields(configHeaders({ ...config, ...fields }))).toEqual(expected);
  });
});

describe('proxies', () => {
  test.each([
    ['http://a.example/', undefined, false],
    ['http://a.example/', 'ample', false],
    ['http://a.example/', 'a.example', true],
    ['http://a.example/', '.example', true],
    ['http://a.example/', '*.example', true],
    ['http://ba.example/', 'a.example', false],
    ['http://a.example/', 'other, a.example', true],
    ['http://a.example/', 'A.EXAMPLE', true],
    ['http://a.example/', 'a.example:80', true],
    ['https://a.example/', 'a.example:80', false],
    ['http://a.example:8080/', 'a.example:8080', true],
    ['http://a.example/', '*', true],
    ['http://[::1]/', '::1', true],
    ['http://127.0.0.1:9/', 'localhost,127.0.0.1', true],
  ])('%s with NO_PROXY=%s goes direct: %j', (url, noProxy, direct) => {
    expect(bypassesProxy(new URL(url), noProxy)).toBe(direct);
  });

  test('a proxy is used unless the host is exempt', async () => {
    const network = { proxy: 'http://proxy.example:3128', noProxy: 'direct.example', ca: ['pem'], connections: 2 };
    const [proxied, direct] = [
      createDispatcher(new URL('http://a.example'), network),
      createDispatcher(new URL('http://direct.example'), network),
    ];
    expect([proxied.constructor.name, direct.constructor.name]).toEqual(['ProxyAgent', 'Pool']);
    await Promise.all([proxied.destroy(), direct.destroy()]);
  });
});
