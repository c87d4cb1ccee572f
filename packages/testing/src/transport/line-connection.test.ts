import fc from 'fast-check';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { fakeServer, type FakeServer, type StdioLink } from '../server/fake-server.js';
import type { FakeServerOptions } from '../definition/server-options.js';
import { META } from '../json-rpc/meta-key.js';
import { rawLineClient, type RawLineClient } from '../raw/raw-line-client.js';
import { readLines } from './line-reader.js';

interface Rig extends AsyncDisposable {
  readonly server: FakeServer;
  readonly link: StdioLink;
  readonly client: RawLineClient;
}

const rig = async (options: FakeServerOptions = {}, initialise = true): Promise<Rig> => {
  const server = fakeServer(options);
  const link = server.connectStdio();
  const client = rawLineClient(link);
  if (initialise) await client.initialize();
  return { server, link, client, [Symbol.asyncDispose]: () => server.close() };
};

const ECHO = { name: 'echo', arguments: { text: 'héllo' } };
const modern = { _meta: { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} } };

describe('the lines of a stream', () => {
  test('are the same however the bytes are cut', async () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('\n', '\r\n'),
        async (lines, size, end) => {
          const bytes = Buffer.from(lines.map((text) => text + end).join(''));
          const input = new PassThrough();
          for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
          input.end();
          const read: string[] = [];
          for await (const text of readLines(input)) read.push(text);
          expect(read).toEqual(lines);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a fake on two streams', () => {
  test('refuses requests before initialize, but for ping', async () => {
    await using opened = await rig({}, false);
    expect(await opened.client.request('tools/list')).toMatchObject({ error: { code: -32600 } });
    expect(await opened.client.request('ping')).toMatchObject({ result: {} });
    expect(await opened.client.request('server/discover', modern)).toMatchObject({ error: { code: -32601 } });
  });

  test('serves both eras on one connection', async () => {
    await using opened = await rig({ eras: 'both' });
    expect(await opened.client.request('tools/call', ECHO)).toMatchObject({ result: { content: [{ text: 'héllo' }] } });
    expect(await opened.client.request('tools/call', { ...ECHO, ...modern })).toMatchObject({
      result: { resultType: 'complete' },
    });
  });

  test('of the modern era only names its revisions to initialize', async () => {
    await using opened = await rig({ eras: 'modern' }, false);
    expect(await opened.client.request('initialize', { protocolVersion: '2025-11-25' })).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'] } },
    });
    expect(await opened.client.request('tools/list')).toMatchObject({ error: { code: -32602 } });
  });

  test('modern: a subscription is acknowledged, fed and cancelled', async () => {
    await using opened = await rig({ eras: 'modern' }, false);
    const { client, server } = opened;
    const id = client.send('subscriptions/listen', { ...modern, notifications: { toolsListChanged: true } });
    expect(await client.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    server.setTools(['echo']);
    expect(await client.message()).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: { [META.subscriptionId]: id } },
    });
    client.notify('notifications/cancelled', { requestId: id });
    await server.log.until(() => (server.counters.openStreams === 0 ? true : undefined));
    server.setTools([]);
    expect(await client.request('tools/list', modern)).toMatchObject({ result: { tools: [] } });
  });

  test('answers rubbish with errors that have no id, and goes on', async () => {
    await using opened = await rig();
    opened.client.write('not json\n\n{"jsonrpc":"2.0","id":[],"method":"ping"}\n');
    expect(await opened.client.message()).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await opened.client.message()).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await opened.client.request('ping')).toMatchObject({ result: {} });
  });

  test('lets go of everything when the input ends', async () => {
    await using opened = await rig();
    expect(opened.server.counters.openConnections).toBe(1);
    await opened.link.close();
    await opened.server.idle();
    expect(opened.server.counters.openConnections).toBe(0);
    expect(opened.server.sessionIds).toEqual([]);
  });
});

describe('faults on lines', () => {
  test('garbage, half a line, an error, a result, noise, a wrong id, twice the same', async () => {
    await using opened = await rig();
    const { client, server } = opened;
    server.script.on('ping').first().respondGarbage('%% garbage %%');
    client.send('ping');
    expect(await client.line()).toBe('%% garbage %%');
    server.script.on('tools/call').first().respondError(-32000, 'boom');
    expect(await client.request('tools/call', ECHO)).toMatchObject({ error: { message: 'boom' } });
    server.script.clear();
    server.script.on('tools/call').first().respondResult({ content: [] }).noise('debug', 'trace').crlf().splitEvery(3);
    const id = client.send('tools/call', ECHO);
    expect(await client.line()).toBe('debug');
    expect(await client.line()).toBe('trace');
    expect(await client.message()).toEqual({ jsonrpc: '2.0', id, result: { content: [] } });
    server.script.clear();
    server.script.on('ping').first().wrongId().delay(1);
    const other = client.send('ping');
    expect(await client.message()).toMatchObject({ id: `not-${other}` });
    server.script.clear();
    server.script.on('ping').first().duplicate();
    const twice = client.send('ping');
    expect([await client.message(), await client.message()]).toMatchObject([{ id: twice }, { id: twice }]);
    server.script.clear();
    server.script.on('ping').first().hangMidEvent();
    client.send('ping');
    client.send('ping');
    expect(await client.line()).toMatch(/^\{"jsonrpc":"2\.0","id":1,"res\{"jsonrpc"/);
  });

  test('hanging leaves others alone, and a notification can be met too', async () => {
    await using opened = await rig();
    const { client, server } = opened;
    server.script.on('tools/call').first().hang();
    server.script.on('notifications/roots/list_changed').first().respondGarbage('noise');
    client.send('tools/call', ECHO);
    expect(await client.request('ping')).toMatchObject({ result: {} });
    client.notify('notifications/roots/list_changed');
    expect(await client.line()).toBe('noise');
    expect(server.counters.executed()).toBe(0);
  });

  test.each([
    ['before the handler', 'before-handler', 0],
    ['after the handler', 'after-handler', 1],
  ] as const)('a cut %s', async (_what, when, executed) => {
    await using opened = await rig();
    opened.server.script.on('tools/call').first().cutSocket(when);
    expect(await opened.client.request('tools/call', ECHO).catch(() => 'cut')).toBe('cut');
    await opened.link.closed;
    expect(opened.server.counters.executed('echo')).toBe(executed);
  });

  test.each([
    ['before-read', 0, 0],
    ['after-read', 1, 0],
    ['while-working', 1, 1],
    ['after-result', 1, 1],
  ] as const)('a crash %s', async (phase, received, executed) => {
    await using opened = await rig();
    opened.server.script.on('tools/call').first().crash(phase);
    const answer = await opened.client.request('tools/call', ECHO).catch(() => undefined);
    expect(answer === undefined).toBe(phase !== 'after-result');
    await opened.link.closed;
    expect([opened.server.counters.toolsCall, opened.server.counters.executed('echo')]).toEqual([received, executed]);
  });
});
