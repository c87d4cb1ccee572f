import {
  fakeServer,
  rawHttpClient,
  type Era,
  type FakeServer,
  type JsonObject,
  type RawAnswer,
  type RawHttpClient,
} from '@plugboard/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from './rig.js';

let payload: JsonObject = {};

const VENDOR = { 'com.example/vendor': { nested: [1, null, { deep: true }] } };

const OPTIONS = {
  tools: [
    {
      name: 'odd',
      title: 'Odd',
      description: 'Gives things that nobody knows.',
      inputSchema: { type: 'object', properties: { a: { type: 'string' } }, 'x-vendor': 1 },
      outputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      annotations: { readOnlyHint: true, vendorHint: 'x' },
      _meta: VENDOR,
      extra: { icons: [{ src: 'https://example.com/i.png', sizes: ['48x48'] }], vendorField: [1, 2] },
      result: {
        content: [
          { type: 'text', text: 'ä€𝄞', annotations: { audience: ['user'], vendor: 1 } },
          { type: 'hologram', data: 'xyz', depth: 3 },
          { type: 'resource_link', uri: 'x://y', name: 'y', _meta: VENDOR },
        ],
        structuredContent: { n: 1.5, extra: null },
        _meta: VENDOR,
        vendorResult: { a: [] },
      },
    },
    { name: 'generated', inputSchema: { type: 'object' }, handler: () => payload },
    {
      name: 'echo-meta',
      inputSchema: { type: 'object' },
      handler: (args: JsonObject, call: { readonly meta: JsonObject }) => ({
        content: [],
        structuredContent: { args, meta: call.meta },
      }),
    },
    'progress',
    'log',
    'fail',
  ],
  prompts: [
    {
      name: 'greet',
      title: 'Greet',
      arguments: [{ name: 'who', required: true }],
      text: 'Hello {who}',
      extra: { icons: [{ src: 'https://example.com/p.png' }], _meta: VENDOR },
    },
  ],
  resources: [{ uri: 'x://1', name: 'one', text: '1', annotations: { priority: 0.5, vendor: 2 }, extra: { size: 1 } }],
  resourceTemplates: [{ uriTemplate: 'x://t/{id}', name: 't', text: 'T {id}' }],
  completions: { who: ['world', 'wonder'] },
  instructions: 'Use with care.',
} as const;

interface Pair {
  readonly server: FakeServer;
  readonly direct: RawHttpClient;
  readonly through: RawHttpClient;
}

let hub: RealHub;
const pairs = new Map<Era, Pair>();

beforeAll(async () => {
  hub = await startRealHub();
  for (const era of ['legacy', 'modern'] as const) {
    const server = fakeServer({ ...OPTIONS, tools: [...OPTIONS.tools], eras: era });
    const { url } = await server.listenHttp();
    await addServer(hub, era, httpConfig(url));
    const direct = rawHttpClient(url, { era });
    const through = rawHttpClient(`${hub.url}/servers/${era}/mcp`, { era });
    if (era === 'legacy') await Promise.all([direct.initialize(), through.initialize()]);
    pairs.set(era, { server, direct, through });
  }
});
afterAll(async () => {
  await hub.close();
  for (const { server } of pairs.values()) await server.close();
});

/** Everything that a client sees of an answer; ids of requests are its own anyway. */
const seen = ({ status, messages, response }: RawAnswer): unknown => ({
  status,
  messages,
  result: response?.result,
  error: response?.error,
});

const both = async (era: Era, method: string, params: JsonObject): Promise<readonly [unknown, unknown]> => {
  const pair = pairs.get(era);
  if (pair === undefined) throw new Error(`no ${era} pair`);
  const [direct, through] = await Promise.all([
    pair.direct.request(method, params),
    pair.through.request(method, params),
  ]);
  return [seen(through), seen(direct)];
};

const call = (name: string, args: JsonObject = {}, meta: JsonObject = {}): JsonObject => ({
  name,
  arguments: args,
  ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
});

const REQUESTS: readonly (readonly [string, string, JsonObject])[] = [
  ['unknown content, structure and metadata', 'tools/call', call('odd')],
  ['an error of a tool', 'tools/call', call('fail')],
  ['progress, with a token that is text', 'tools/call', call('progress', { steps: 3 }, { progressToken: 'token-ä' })],
  ['progress, with a token that is a number', 'tools/call', call('progress', { steps: 2 }, { progressToken: 0 })],
  ['no progress without a token', 'tools/call', call('progress', { steps: 2 })],
  ['a prompt', 'prompts/get', { name: 'greet', arguments: { who: 'world' } }],
  ['prompts', 'prompts/list', {}],
  ['resources', 'resources/list', {}],
  ['templates', 'resources/templates/list', {}],
  ['a resource', 'resources/read', { uri: 'x://1' }],
  ['a resource of a template', 'resources/read', { uri: 'x://t/7' }],
  ['a resource that is not there', 'resources/read', { uri: 'x://nowhere' }],
  [
    'a completion',
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'wo' } },
  ],
  ['a method that nobody knows', 'vendor/unknown', {}],
  ['an unknown prompt', 'prompts/get', { name: 'none' }],
];

describe.each(['legacy', 'modern'] as const)('a %s server through the hub is the server itself', (era) => {
  it.each(REQUESTS)('%s', async (_, method, params) => {
    const [through, direct] = await both(era, method, params);
    expect(through).toEqual(direct);
  });

  it('tools, but for the time that their list may be kept', async () => {
    const pair = pairs.get(era);
    const [direct, through] = [await pair?.direct.request('tools/list'), await pair?.through.request('tools/list')];
    expect(through?.response?.result?.['tools']).toEqual(direct?.response?.result?.['tools']);
  });

  it('what it is told: arguments and metadata', async () => {
    const meta = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', ...VENDOR };
    const [through, direct] = await both(era, 'tools/call', call('echo-meta', { deep: [{ ä: 1e-7 }] }, meta));
    expect(through).toEqual(direct);
  });

  it('results of any shape', async () => {
    const json = fc.dictionary(
      fc.string().filter((name) => !['isError', 'resultType', '_meta', '__proto__', 'content'].includes(name)),
      fc.jsonValue({ maxDepth: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(json, async (generated) => {
        payload = { content: [], ...(generated as JsonObject) };
        const [through, direct] = await both(era, 'tools/call', call('generated'));
        expect(through).toEqual(direct);
      }),
      { numRuns: 25 },
    );
  });
});
