import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeServer, type FakeServer } from '../server/fake-server.js';
import type { JsonObject, JsonRpcMessage } from '../json-rpc/message.js';
import { RawHttpClient, sseMessages } from '../raw/raw-http-client.js';

/** An HTTP+SSE client by hand: the endpoint comes on the stream, and so do the answers. */
class SseClient {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #buffer = '';
  endpoint = '';

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** The next whole event; undefined when the stream has ended or broken. */
  async event(): Promise<string | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf('\n\n');
      if (end !== -1) {
        const event = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 2);
        return event;
      }
      const { value, done } = await this.#reader.read().catch(() => ({ value: undefined, done: true }));
      if (done) return undefined;
      this.#buffer += this.#decoder.decode(value, { stream: true });
    }
  }

  async message(): Promise<JsonRpcMessage | undefined> {
    const event = await this.event();
    return event === undefined ? undefined : sseMessages(event)[0];
  }

  async post(method: string, params: JsonObject = {}): Promise<number> {
    return (await new RawHttpClient(this.endpoint).request(method, params)).status;
  }
}

let server: FakeServer;
let url = '';

const connect = async (): Promise<SseClient> => {
  const response = await fetch(url);
  const client = new SseClient(response.body!);
  client.endpoint = new URL(/data: (.*)/.exec((await client.event()) ?? '')?.[1] ?? '', url).href;
  await client.post('initialize', { protocolVersion: '2024-11-05', capabilities: {} });
  expect(await client.message()).toMatchObject({ result: { protocolVersion: '2024-11-05' } });
  return client;
};

beforeEach(async () => {
  server = fakeServer({ tools: ['echo', 'progress'] });
  ({ url } = await server.listenSse());
});

afterEach(() => server.close());

const ECHO = { name: 'echo', arguments: { text: 'hi' } };

describe('HTTP+SSE', () => {
  test('answers on the stream, and notices when the client leaves', async () => {
    const client = await connect();
    expect(await client.post('tools/call', ECHO)).toBe(202);
    expect(await client.message()).toMatchObject({ result: { content: [{ text: 'hi' }] } });
    expect(server.counters.openStreams).toBe(1);
    expect(server.log.entries.at(-1)).toMatchObject({ transport: 'sse', method: 'tools/call', era: 'legacy' });
    server.dropSessions();
    expect(await client.message()).toBeUndefined();
    expect(await client.post('ping')).toBe(404);
    await server.log.until(() => (server.counters.openStreams === 0 ? true : undefined));
  });

  test('has no Streamable HTTP at its endpoint, refuses foreigners and rubbish', async () => {
    expect((await new RawHttpClient(url).request('initialize')).status).toBe(405);
    expect((await fetch(url, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await fetch(new URL('/other', url))).status).toBe(404);
    const client = await connect();
    expect((await new RawHttpClient(client.endpoint).post('{')).status).toBe(400);
  });
});

describe('faults over HTTP+SSE', () => {
  test.each([
    ['a status', { status: 503 }, 503],
    ['a dropped session', { dropSession: true }, 404],
  ])('%s on the POST', async (_what, fault, status) => {
    const client = await connect();
    server.script.on('tools/call').first().play(fault);
    expect(await client.post('tools/call', ECHO)).toBe(status);
    expect(server.counters.executed()).toBe(0);
  });

  test.each([
    ['a cut', { cut: true }, 0],
    ['a cut after the handler', { cut: true, afterHandler: true }, 1],
    ['the end of the stream', { endStreamAfter: 0 }, 0],
  ])('%s in place of the answer', async (_what, fault, executed) => {
    const client = await connect();
    server.script.on('tools/call').first().play(fault);
    await client.post('tools/call', ECHO);
    expect(await client.message()).toBeUndefined();
    expect(server.counters.executed()).toBe(executed);
  });

  test('hanging, half an event, garbage, noise, an error, a result, a delay', async () => {
    const client = await connect();
    const meet = async (fault: object): Promise<void> => {
      server.script.clear();
      server.script.on('tools/call').first().play(fault);
      expect(await client.post('tools/call', ECHO)).toBe(202);
    };
    await meet({ hang: 'silent' });
    await meet({ body: 'garbage' });
    expect(await client.event()).toBe('data: garbage');
    await meet({ noise: ['keep-alive'], error: { code: -32000, message: 'boom' } });
    expect(await client.event()).toBe(': keep-alive');
    expect(await client.message()).toMatchObject({ error: { message: 'boom' } });
    await meet({ delayMs: 1, result: { content: [] }, duplicate: true });
    expect([await client.message(), await client.message()]).toMatchObject([{ result: {} }, { result: {} }]);
    await meet({ hang: 'mid-event' });
    await client.post('ping');
    expect(await client.event()).toContain('"id":event: message');
  });

  test('the GET itself can be met', async () => {
    server.script.on('GET').first().respondStatus(500);
    expect((await fetch(url)).status).toBe(500);
    server.script.clear();
    server.script.on('GET').first().endStreamAfter(1);
    const client = await connect();
    expect(await client.message()).toBeUndefined();
  });

  test.each(['before-read', 'after-read', 'while-working', 'after-result'] as const)('a crash %s', async (phase) => {
    const client = await connect();
    server.script.on('tools/call').first().crash(phase);
    await client.post('tools/call', ECHO).catch(() => undefined);
    for (let message = await client.message(); message !== undefined; message = await client.message()) {
      expect(phase).toBe('after-result');
    }
    expect(server.counters.executed('echo')).toBe(phase.endsWith('read') ? 0 : 1);
  });
});

describe('the profile of POST /sse', () => {
  test('initialises, lists and calls by its own names', async () => {
    const listener = await server.listenExternal();
    const client = new RawHttpClient(listener.url);
    expect((await fetch(new URL('/', listener.url))).status).toBe(200);
    expect((await client.request('list_tools')).status).toBe(404);
    const opened = await client.request('initialize', { protocolVersion: '2024-11-05' });
    const headers = { 'x-session-id': opened.headers.get('x-session-id') ?? '' };
    expect(opened.headers.get('content-type')).toBe('text/event-stream');
    expect((await client.request('list_tools', {}, { headers })).response?.result?.['tools']).toHaveLength(2);
    const called = await client.request('call_tool', ECHO, { headers });
    expect(called.response?.result).toMatchObject({ content: [{ text: 'hi' }] });
    expect((await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { headers })).status).toBe(202);
    expect((await client.post('{', { headers })).status).toBe(400);
    server.script.on('call_tool').first().respondStatus(500);
    expect((await client.request('call_tool', ECHO, { headers })).status).toBe(500);
    expect((await new RawHttpClient(new URL('/x', listener.url).href).request('ping')).status).toBe(404);
  });
});
