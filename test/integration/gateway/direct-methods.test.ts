import { fileURLToPath } from 'node:url';
import { fakeServer, type FakeServerOptions } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { type OfficialClient, officialClientsAt } from '../../support/official-clients.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { post, waysOf } from './relay-paths.js';
import { addServer, httpConfig } from './rig.js';
import { resultText, scriptedUpstream, sendJson } from './scripted-upstream.js';

const ERAS = ['legacy', 'modern', 'both'] as const;

let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub();
});
afterAll(() => hub.close());

/** What a client asks, and a part of what it must hear. */
type Asked = readonly (readonly [method: string, params: Readonly<Record<string, unknown>>, heard: object])[];

/** Each request, first on whatever path and then on the fast one: what was heard, and which path it took. */
const askAll = async (clients: readonly OfficialClient[], asked: Asked): Promise<readonly unknown[]> => {
  const outcomes: unknown[] = [];
  for (const { ask } of clients) {
    for (const [method, params] of asked) {
      const fast = async () => (await waysOf(hub, async () => ask(method, params)))['fast'] === 1;
      // The first request opens the connection; the catalogue may be published anew meanwhile.
      await vi.waitUntil(fast, { timeout: 20_000 });
      let result: unknown;
      const ways = await waysOf(hub, async () => (result = await ask(method, params)));
      outcomes.push({ method, ways, result });
    }
  }
  return outcomes;
};

/** The same for every client. */
const allFast = (clients: readonly OfficialClient[], asked: Asked): readonly object[] =>
  clients.flatMap(() => asked.map(([method, , result]) => ({ method, ways: { fast: 1 }, result })));

const clientsOf = async (name: string): Promise<AsyncDisposable & { readonly all: readonly OfficialClient[] }> => {
  const all = await officialClientsAt(new URL(`/servers/${name}/mcp`, hub.url).href);
  return {
    all,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map((client) => client[Symbol.asyncDispose]()));
    },
  };
};

describe('requests of official clients take the fast path', () => {
  it.each(ERAS)('to a program made with the official SDK (%s)', async (era) => {
    const program = fileURLToPath(new URL('../conformance/sdk-server/sdk-server.mjs', import.meta.url));
    const config = { mcp_server_type: 'stdio', command: process.execPath, args: [program, era, 'stdio'] };
    await addServer(hub, `sdk-${era}`, config);
    await using clients = await clientsOf(`sdk-${era}`);
    const asked: Asked = [
      ['resources/read', { uri: 'test://static-text' }, { contents: [{ uri: 'test://static-text' }] }],
      ['resources/read', { uri: 'test://static-binary' }, { contents: [{ mimeType: 'image/png' }] }],
      [
        'prompts/get',
        { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'é' } },
        { messages: [{ role: 'user', content: { text: "Prompt with arguments: arg1='a', arg2='é'" } }] },
      ],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'test_simple_prompt' }, argument: { name: 'a', value: '' } },
        { completion: { values: [], total: 0, hasMore: false } },
      ],
      ['tools/call', { name: 'test_simple_text', arguments: {} }, { content: [{ type: 'text' }] }],
    ];
    expect(await askAll(clients.all, asked)).toMatchObject(allFast(clients.all, asked));
  });

  it.each(ERAS)('to a server over HTTP (%s)', async (era) => {
    const options: FakeServerOptions = {
      eras: era,
      resources: [{ uri: 'file:///a b', text: 'what it holds' }],
      prompts: [{ name: 'greet', arguments: [{ name: 'who' }], text: 'Hello {who}' }],
      completions: { who: ['Ada', 'Adam'] },
    };
    const server = fakeServer(options);
    const listener = await server.listenHttp();
    try {
      await addServer(hub, `http-${era}`, httpConfig(listener.url));
      await using clients = await clientsOf(`http-${era}`);
      const asked: Asked = [
        ['resources/read', { uri: 'file:///a b' }, { contents: [{ uri: 'file:///a b', text: 'what it holds' }] }],
        ['prompts/get', { name: 'greet', arguments: { who: 'Ada' } }, { messages: [{ role: 'user' }] }],
        [
          'completion/complete',
          { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'Ada' } },
          { completion: { values: ['Ada', 'Adam'] } },
        ],
        ['tools/call', { name: 'echo', arguments: { text: 'hi' } }, { content: [{ type: 'text', text: 'hi' }] }],
      ];
      expect(await askAll(clients.all, asked)).toMatchObject(allFast(clients.all, asked));
      // What a server refuses is told on the full path, in the words of the era.
      for (const { ask } of clients.all) {
        await expect(ask('resources/read', { uri: 'file:///none' })).rejects.toThrow(/file|found/iu);
      }
    } finally {
      await server.close();
    }
  });
});

describe('a plain call over REST', () => {
  const ODD = '{"big":12345678901234567890,"text":"caf\\u00e9 \\/"}';

  it.each(['legacy', 'modern'] as const)('takes the fast path to a %s server', async (era) => {
    const complete = era === 'modern' ? { resultType: 'complete' } : {};
    await using server = await scriptedUpstream(era, {
      plain: (asked, response) => sendJson(response, resultText(asked, { ...complete, content: [], vendor: 1 })),
      odd: (asked, response) =>
        sendJson(
          response,
          `{"result":{${era === 'modern' ? '"resultType":"complete",' : ''}"content":[],"structuredContent":${ODD}},"jsonrpc":"2.0","id":${asked.id}}`,
        ),
      refuses: (asked, response) =>
        sendJson(response, JSON.stringify({ jsonrpc: '2.0', id: asked.id, error: { code: -32602, message: 'bad' } })),
    });
    const name = `rest-${era}`;
    await addServer(hub, name, httpConfig(server.url));
    const call = (tool: string, body: string, headers: Record<string, string> = {}) =>
      post(new URL(`/servers/${name}/tools/${tool}`, hub.url), body, headers);
    await vi.waitUntil(async () => (await waysOf(hub, () => call('plain', '{}')))['fast'] === 1, { timeout: 20_000 });
    let answer = await call('plain', '');
    expect(JSON.parse(answer.text)).toEqual({ content: [], vendor: 1 });
    expect([answer.status, answer.type]).toEqual([200, 'application/json; charset=utf-8']);
    const ways = await waysOf(hub, async () => {
      answer = await call('odd', ` ${ODD} `);
    });
    expect(ways).toEqual({ fast: 1 });
    expect(answer.text).toBe(`{"content":[],"structuredContent":${ODD}}`);
    expect(server.calls.at(-1)?.text).toContain(`"arguments": ${ODD} `);
    const { json } = await hubCall(hub.url, 'GET', '/v1/audit?kind=call&limit=1');
    expect(json).toMatchObject([
      { target: `${name}/odd`, outcome: 'ok', details: { arguments: { text: 'text of 6 characters' } } },
    ]);
    // What the server refuses continues on the full path, and was sent once.
    const sent = server.calls.length;
    const refused = await waysOf(hub, async () => {
      answer = await call('refuses', '{}');
    });
    expect([refused, server.calls.length - sent]).toEqual([{ unusual: 1 }, 1]);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([400, { error: { code: 'INVALID_ARGUMENT' } }]);
  });

  it('has no other members than its arguments', async () => {
    await using server = await scriptedUpstream('legacy', {
      plain: (asked, response) => sendJson(response, resultText(asked, { content: [] })),
    });
    await addServer(hub, 'rest-alone', httpConfig(server.url));
    const call = (body: string, type = 'application/json') =>
      post(new URL('/servers/rest-alone/tools/plain', hub.url), body, { 'content-type': type });
    await vi.waitUntil(async () => (await waysOf(hub, () => call('{}')))['fast'] === 1, { timeout: 20_000 });
    const sent = server.calls.length;
    const bodies = [
      '{},"_meta":{"progressToken":1}',
      '{}},"id":5,"x":{"y":{}',
      '{"a":1}}',
      '[]',
      '1',
      '{"a":',
      '{} {}',
    ];
    const statuses = await Promise.all(bodies.map(async (body) => (await call(body)).status));
    expect(statuses).toEqual(bodies.map(() => 400));
    expect((await call('{}', 'text/plain')).status).toBe(415);
    expect((await call(`{"a":"${'x'.repeat(5 * 1024 * 1024)}"}`)).status).toBe(413);
    expect(server.calls.length).toBe(sent);
    expect((await post(new URL('/servers/rest-alone/tools/none', hub.url), '{}', {})).status).toBe(404);
    expect((await post(new URL('/servers/nobody/tools/plain', hub.url), '{}', {})).status).toBe(404);
  });
});
