import { memoryUsage } from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCallWith } from '../../support/hub-call.js';
import { DEFAULTS } from '../../../packages/plugboard/src/settings/settings.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from '../gateway/rig.js';
import { hostileServer, type HostileServer } from './hostile-server.js';
import { initialize, postMcp, rpc } from './legacy-client.js';

const MIB = 1024 * 1024;
let hub: RealHub;
let honestServer: HostileServer;
let hostile: HostileServer;
const keys = new Map<string, string>();

/** Whatever comes back, and whether anything does, is the attacker's concern. */
const attempt = async (work: () => Promise<unknown>): Promise<void> => {
  await work().catch(() => undefined);
};

beforeAll(async () => {
  honestServer = await hostileServer({});
  let turn = 0;
  hostile = await hostileServer({
    'tools/list': () => ({
      tools: ['plain', 'wide'].map((name) => ({
        name,
        description: 'x'.repeat(name === 'wide' ? MIB : 10),
        inputSchema: { type: 'object' },
      })),
    }),
    'tools/call': ({ id }, response) => {
      turn += 1;
      if (turn === 4) return { content: [{ type: 'text', text: 'x'.repeat(17 * MIB) }] };
      if (turn % 4 === 1) return { content: [], structuredContent: { a: Array.from({ length: 50_000 }, () => ({})) } };
      if (turn % 4 === 2) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'.repeat(1000));
      } else {
        const answer = JSON.stringify({ jsonrpc: '2.0', id: Number(id) + 1, result: { content: [] } });
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
      }
      return undefined;
    },
  });
  hub = await startRealHub();
  await addServer(hub, 'honest', httpConfig(honestServer.url));
  await addServer(hub, 'hostile', httpConfig(hostile.url));
  const admin = hubCallWith(hub.url, hub.key);
  for (const name of ['honest', 'hostile']) {
    const { json } = await admin('POST', '/v1/keys', { name, role: 'operator' });
    keys.set(name, (json as { key: string }).key);
  }
});
afterAll(async () => {
  await hub.close();
  await honestServer[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
});

const ATTACKS: readonly ((url: string, key: string) => Promise<unknown>)[] = [
  (url, key) => postMcp(url, rpc(1, 'tools/call', { name: 'plain' }), { key }),
  (url, key) => postMcp(url, rpc(1, 'tools/call', { name: 'plain', arguments: { a: 'x'.repeat(MIB) } }), { key }),
  (url, key) => postMcp(url, initialize({ name: 'x'.repeat(MIB) }), { key }),
  (url, key) => postMcp(url, initialize(), { key }),
  (url, key) =>
    postMcp(
      url,
      Array.from({ length: 2000 }, (_, id) => rpc(id, 'ping')),
      { key, version: '2025-03-26' },
    ),
  (url, key) => postMcp(url, '['.repeat(MIB), { key }),
  (url) => fetch(new URL('/login', url), { method: 'POST', body: 'x'.repeat(MIB) }),
];

it('a hostile server and a hostile agent do not disturb an honest one', async () => {
  const url = `${hub.url}/servers/hostile/mcp`;
  const over = { attacks: false };
  const attackers = Array.from({ length: 3 }, async (_, first) => {
    for (let turn = first; turn < first + 2 * ATTACKS.length; turn += 1) {
      const attack = ATTACKS[turn % ATTACKS.length];
      await attempt(async () => attack?.(url, keys.get('hostile') ?? ''));
    }
  });
  const attacked = Promise.all(attackers).finally(() => (over.attacks = true));
  for (let id = 0; id < 20 || !over.attacks; id += 1) {
    const { json } = await postMcp(`${hub.url}/servers/honest/mcp`, rpc(id, 'tools/call', { name: 'plain' }), {
      key: keys.get('honest'),
    });
    expect(json).toMatchObject({ id, result: { content: [{ text: 'done' }] } });
    const { heapUsed, external } = memoryUsage();
    expect(heapUsed + external).toBeLessThan(DEFAULTS.bounds.memoryBytes);
  }
  await attacked;
});
