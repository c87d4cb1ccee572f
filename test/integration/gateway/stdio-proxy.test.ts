import { PassThrough } from 'node:stream';
import { fakeServer, type FakeServer, META, rawLineClient } from '@plugboard/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { FindHub } from '../../../packages/plugboard/src/stdio-proxy/hub-address.js';
import { runProxy } from '../../../packages/plugboard/src/stdio-proxy/stdio-proxy.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from './rig.js';

const mirrored = {
  name: 'mirrored',
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  handler: ({ region }: { readonly region?: unknown }) => `in ${String(region)}`,
};

let hub: RealHub;
let server: FakeServer;
let serverUrl: string;
beforeAll(async () => {
  server = fakeServer({ eras: 'both', tools: ['echo', 'elicit', 'hang', mirrored] });
  serverUrl = (await server.listenHttp()).url;
  hub = await startRealHub();
  await addServer(hub, 'fake', httpConfig(serverUrl));
});
afterAll(async () => {
  await hub.close();
  await server.close();
});

const proxied = (findHub: FindHub, path = '/servers/fake/mcp', fetch = globalThis.fetch) => {
  const [stdin, stdout, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  const served = runProxy({
    findHub,
    fetch,
    path,
    input: stdin,
    output: stdout,
    signal: stop.signal,
  }).then(() => stdout.end());
  onTestFinished(async () => {
    stop.abort();
    await served;
  });
  return { client: rawLineClient({ stdin, stdout }), stdin, served };
};

const here: FindHub = () => Promise.resolve({ url: hub.url, key: undefined });
const modern = {
  [META.protocolVersion]: '2026-07-28',
  [META.clientCapabilities]: {},
  [META.clientInfo]: { name: 'c', version: '1' },
};

it('a legacy client lists, calls, is asked, and hears of changes; its session ends with it', async () => {
  const { client, stdin, served } = proxied(here);
  expect((await client.initialize('2025-11-25', { elicitation: {} }))?.result).toMatchObject({
    protocolVersion: '2025-11-25',
  });
  const echoed = await client.request('tools/call', { name: 'echo', arguments: { text: 'two\nlines' } });
  expect(echoed?.result).toMatchObject({ content: [{ text: 'two\nlines' }] });
  client.send('tools/call', { name: 'elicit', arguments: {} });
  const question = (await client.message()) as { id: unknown; method: string };
  expect(question.method).toBe('elicitation/create');
  client.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { name: 'Ada' } } })}\n`,
  );
  expect(JSON.stringify(await client.message())).toContain('Ada');
  const change = client.message();
  server.setTools(['echo', 'elicit', 'hang', mirrored, 'add']);
  expect(await change).toMatchObject({ method: 'notifications/tools/list_changed' });
  client.write('not JSON\n');
  expect(await client.message()).toMatchObject({ error: { code: -32700 } });
  stdin.end();
  await served;
  const metrics = await (await fetch(`${hub.url}/metrics`)).text();
  expect(metrics).toMatch(/^plugboard_sessions 0$/mu);
});

it('a modern client calls, also tools with mirrored parameters, and takes a call back', async () => {
  const { client } = proxied(here);
  const call = (name: string, args: object) => client.request('tools/call', { name, arguments: args, _meta: modern });
  expect((await call('echo', { text: 'x' }))?.result).toMatchObject({ content: [{ text: 'x' }] });
  expect((await call('mirrored', { region: 'eu' }))?.result).toMatchObject({ content: [{ text: 'in eu' }] });
  expect((await call('mirrored', { region: 'us' }))?.result).toMatchObject({ content: [{ text: 'in us' }] });
  const requestId = client.send('tools/call', { name: 'hang', arguments: {}, _meta: modern });
  await server.execution('hang');
  client.notify('notifications/cancelled', { requestId });
  expect((await call('echo', { text: 'still here' }))?.result).toMatchObject({ content: [{ text: 'still here' }] });
});

it('goes on with a hub that was started again somewhere else, and says so when there is none', async () => {
  let current: RealHub | undefined = await startRealHub();
  await addServer(current, 'fake', httpConfig(serverUrl));
  const { client } = proxied(() => Promise.resolve(current && { url: current.url, key: undefined }));
  await client.initialize();
  const echo = (text: string) => client.request('tools/call', { name: 'echo', arguments: { text } });
  expect((await echo('before'))?.result).toMatchObject({ content: [{ text: 'before' }] });
  await current.close();
  current = await startRealHub();
  await addServer(current, 'fake', httpConfig(serverUrl));
  expect((await echo('after'))?.result).toMatchObject({ content: [{ text: 'after' }] });
  await current.close();
  current = undefined;
  expect((await echo('never'))?.error).toMatchObject({ data: { code: 'HUB_UNREACHABLE' } });
});

it('passes a refusal of the hub on as an answer', async () => {
  const { client } = proxied(here, '/servers/nobody/mcp');
  const answer = await client.request('tools/list', {});
  expect(answer?.error).toMatchObject({ data: { code: 'SERVER_NOT_FOUND' } });
});

it('says that nobody can know what became of a request when the hub hangs up in the middle of its answer', async () => {
  const headers = { 'content-type': 'text/event-stream' };
  const breaking = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
  const { client } = proxied(here, '/mcp', () => Promise.resolve(new Response(breaking(), { headers })));
  const answer = await client.request('tools/call', { name: 'echo', arguments: {} });
  expect(answer?.error).toMatchObject({ data: { code: 'AMBIGUOUS_DELIVERY' } });
});

it.each([
  ['a stream', 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n'],
  ['an empty stream', ''],
])('says the same when the hub ends %s before the answer', async (_what, body) => {
  const headers = { 'content-type': 'text/event-stream' };
  const { client } = proxied(here, '/mcp', () => Promise.resolve(new Response(body, { headers })));
  const answer = await client.request('tools/call', { name: 'echo', arguments: {} });
  expect(answer?.error).toMatchObject({ data: { code: 'AMBIGUOUS_DELIVERY' } });
});

it('gives an answer of the hub that names no request to the one that was asked', async () => {
  const { client } = proxied(here);
  let deep: unknown = 'x';
  for (let level = 0; level < 200; level += 1) deep = [deep];
  const answer = await client.request('tools/call', { name: 'echo', arguments: { deep } });
  expect(answer?.error).toMatchObject({ code: -32700, data: { code: 'INVALID_JSON' } });
});

it('takes batches from clients of 2025-03-26, and from no others', async () => {
  const batch = ['a', 'b'].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  const { client } = proxied(here);
  await client.initialize('2025-11-25');
  client.write(`${JSON.stringify(batch)}\n`);
  expect(await client.message()).toMatchObject({ id: null, error: { code: -32600 } });
  await client.initialize('2025-03-26');
  client.write(`${JSON.stringify(batch)}\n`);
  const answers = [await client.message(), await client.message()] as { id: string }[];
  expect(answers.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
});
