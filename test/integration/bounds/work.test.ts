import { afterEach, describe, expect, it } from 'vitest';
import { hubCallWith } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from '../gateway/rig.js';
import { type HostileAnswer, hostileServer } from './hostile-server.js';
import { initialize, postMcp, rpc } from './legacy-client.js';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

const hubBefore = async (answers: Readonly<Record<string, HostileAnswer>>, capabilities?: object): Promise<RealHub> => {
  const server = await hostileServer(answers, capabilities);
  const hub = await startRealHub();
  open.push(server, { [Symbol.asyncDispose]: () => hub.close() });
  await addServer(hub, 'hostile', httpConfig(server.url));
  return hub;
};

describe('one request cannot freeze the hub', () => {
  it('with a URI template that a pattern would backtrack on', async () => {
    const uriTemplate = `${'{+a}'.repeat(20)}!`;
    const hub = await hubBefore(
      {
        'resources/list': () => ({ resources: [] }),
        'resources/templates/list': () => ({ resourceTemplates: [{ name: 'x', uriTemplate }] }),
      },
      { tools: {}, resources: {} },
    );
    const { session } = await postMcp(`${hub.url}/mcp`, initialize());
    await postMcp(`${hub.url}/mcp`, rpc(2, 'resources/templates/list'), { session });
    const read = await postMcp(`${hub.url}/mcp`, rpc(3, 'resources/read', { uri: 'x'.repeat(60) }), { session });
    expect(read.json).toMatchObject({ id: 3, error: { code: -32_002 } });
  });

  it('with a batch of more messages than one may have', async () => {
    const version = '2025-03-26';
    let calls = 0;
    const hub = await hubBefore({
      'tools/call': () => {
        calls += 1;
        return { content: [] };
      },
    });
    const url = `${hub.url}/servers/hostile/mcp`;
    const { session } = await postMcp(url, initialize({}, version));
    const batch = (size: number) => Array.from({ length: size }, (_, id) => rpc(id, 'tools/call', { name: 'plain' }));
    const refused = await postMcp(url, batch(101), { session, version });
    expect(refused).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining('at most 100') as string } },
    });
    expect(calls).toBe(0);
    expect((await postMcp(url, batch(100), { session, version })).json).toHaveLength(100);
  });
});

describe('a large body is refused by its first bytes', () => {
  /** Bytes that are no JSON: an answer that does not complain about them was given before they were parsed. */
  const garbage = '!'.repeat(300 * 1024);

  it.each([
    ['an introduction', '{"jsonrpc":"2.0","id":7,"method":"initialize","params":', { id: 7, says: 'at most 256 KiB' }],
    ['a batch', `[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(100)}`, { id: null, says: 'at most 100' }],
    ['deep nesting', '['.repeat(65), { id: null, says: 'nested more than 64' }],
  ])('%s', async (_, beginning, { id, says }) => {
    const hub = await hubBefore({});
    const refused = await postMcp(`${hub.url}/servers/hostile/mcp`, `${beginning}${garbage}`);
    expect(refused).toMatchObject({
      status: 400,
      json: { id, error: { message: expect.stringContaining(says) as string } },
    });
  });
});

describe('a list of tools', () => {
  const properties = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]));
  const tool = (name: string, count: number) => ({
    name,
    inputSchema: { type: 'object', properties: properties(count) },
  });
  const statusOf = async (hub: RealHub): Promise<unknown> =>
    (await hubCallWith(hub.url, hub.key)('GET', '/v1/mcp-servers/hostile')).json;

  it('keeps the others when one definition is too large', async () => {
    const hub = await hubBefore({ 'tools/list': () => ({ tools: [tool('huge', 20_000), tool('small', 2)] }) });
    const { json } = await hubCallWith(hub.url, hub.key)('GET', '/v1/mcp-servers/hostile/tools');
    expect((json as { readonly upstream_name: string }[]).map((each) => each.upstream_name)).toEqual(['small']);
    const report = await hubCallWith(hub.url, hub.key)('POST', '/v1/mcp-servers/hostile/sync', {});
    expect(JSON.stringify(report.json)).toContain('larger than 256 KiB');
  });

  it('is rejected when it is all structure', async () => {
    const values = Array.from({ length: 1_100_000 }, () => 0);
    const tools = [{ name: 'wide', inputSchema: { type: 'object', enum: values } }];
    const hub = await hubBefore({ 'tools/list': () => ({ tools }) });
    expect(JSON.stringify(await statusOf(hub))).toMatch(/more than 1000000 values/u);
  });
});
