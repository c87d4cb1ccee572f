import { afterEach, describe, expect, it } from 'vitest';
import { hubCallWith } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { DEFAULTS, type Settings } from '../../../packages/plugboard/src/settings/settings.js';
import { addServer, httpConfig } from '../gateway/rig.js';
import { type HostileAnswer, hostileServer } from './hostile-server.js';
import { initialize, postMcp, rpc } from './legacy-client.js';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

const MIB = 1024 * 1024;

const hubWith = async (
  bounds: Partial<Settings['bounds']>,
  answers?: Readonly<Record<string, HostileAnswer>>,
): Promise<RealHub> => {
  const hub = await startRealHub({ settings: { bounds: { ...DEFAULTS.bounds, ...bounds } } });
  open.push({ [Symbol.asyncDispose]: () => hub.close() });
  if (answers !== undefined) {
    const server = await hostileServer(answers);
    open.push(server);
    await addServer(hub, 'hostile', httpConfig(server.url));
  }
  return hub;
};

describe('memory that strangers can take', () => {
  it.each(['/login', '/logout', '/v1/session'])('a body without a key at %s is small', async (path) => {
    const hub = await hubWith({});
    const type = path === '/v1/session' ? 'application/json' : 'application/x-www-form-urlencoded';
    const response = await fetch(hub.url + path, {
      method: 'POST',
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin', origin: hub.url },
      body: `key=${'x'.repeat(20_000)}`,
    });
    expect(response.status).toBe(413);
  });

  it('a client cannot say megabytes of itself', async () => {
    const hub = await hubWith({});
    const answer = await postMcp(`${hub.url}/mcp`, initialize({ name: 'x'.repeat(100_000) }));
    expect(answer.session).toBeUndefined();
    expect(answer.json).toMatchObject({ error: { data: { code: 'INVALID_ARGUMENT' } } });
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { sampling: { x: 'x'.repeat(100_000) } },
    };
    const response = await fetch(`${hub.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
      },
      body: JSON.stringify(rpc(1, 'tools/list', { _meta: meta })),
    });
    expect(await response.text()).toContain('INVALID_ARGUMENT');
  });

  it('sessions of one caller do not push out those of another', async () => {
    const hub = await hubWith({ sessions: 12, sessionsPerCaller: 8 });
    const admin = hubCallWith(hub.url, hub.key);
    const keyOf = async (name: string): Promise<string> =>
      ((await admin('POST', '/v1/keys', { name, role: 'operator' })).json as { key: string }).key;
    const [mine, others] = [await keyOf('mine'), await keyOf('others')];
    const url = `${hub.url}/mcp`;
    const { session } = await postMcp(url, initialize(), { key: mine });
    for (let count = 0; count < 30; count += 1) await postMcp(url, initialize(), { key: others });
    expect((await postMcp(url, rpc(2, 'ping'), { session, key: mine })).status).toBe(200);
  });

  it('a list without an end is given up', async () => {
    let pages = 0;
    const description = 'x'.repeat(8 * MIB);
    const hub = await hubWith(
      {},
      {
        'tools/list': () => {
          pages += 1;
          const tools = [{ name: `t_${pages}`, description, inputSchema: { type: 'object' } }];
          return { nextCursor: String(pages), tools };
        },
      },
    );
    const { json } = await hubCallWith(hub.url, hub.key)('GET', '/v1/mcp-servers/hostile');
    expect(json).toMatchObject({ status: { state: 'failing', error: { code: 'UPSTREAM_PROTOCOL' } } });
    expect(JSON.stringify(json)).toContain('32 MiB');
    expect(pages).toBeLessThan(10);
  });

  it('bodies of one caller beyond its share are rejected with a reason, and others are served', async () => {
    const hub = await hubWith({ messageBytes: 8 * MIB }, {});
    const body = JSON.stringify(rpc(1, 'tools/call', { name: 'plain', arguments: { text: 'x'.repeat(3 * MIB) } }));
    const answer = await postMcp(`${hub.url}/servers/hostile/mcp`, body);
    expect(answer).toMatchObject({ status: 503, json: { error: { data: { code: 'OVERLOADED' } } } });
    const small = await postMcp(`${hub.url}/servers/hostile/mcp`, rpc(2, 'tools/call', { name: 'plain' }));
    expect(small.json).toMatchObject({ result: { content: [{ text: 'done' }] } });
  });

  it('an answer beyond the share of its server is rejected with a reason', async () => {
    const text = 'x'.repeat(4 * MIB);
    const hub = await hubWith(
      { messageBytes: 8 * MIB },
      { 'tools/call': () => ({ content: [{ type: 'text', text }] }) },
    );
    const answer = await postMcp(`${hub.url}/servers/hostile/mcp`, rpc(1, 'tools/call', { name: 'plain' }));
    expect(answer.json).toMatchObject({ error: { data: { code: 'OVERLOADED' } } });
  });

  it('new work is rejected before the memory is gone, and the hub still answers', async () => {
    const hub = await hubWith({ memoryBytes: 1 }, {});
    const url = `${hub.url}/servers/hostile/mcp`;
    await expect.poll(async () => (await postMcp(url, rpc(1, 'ping'))).status).toBe(503);
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect([answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
      '2',
      { error: { code: 'OVERLOADED' } },
    ]);
    expect((await fetch(`${hub.url}/health`)).status).toBe(200);
    const metrics = await fetch(`${hub.url}/metrics`, { headers: { authorization: `Bearer ${hub.key}` } });
    expect(await metrics.text()).toMatch(/^plugboard_overloaded 1$/mu);
  });
});
