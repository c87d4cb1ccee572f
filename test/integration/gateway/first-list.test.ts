import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { offeringServer, type OfferingServer } from '../../support/offering-server.js';
import { officialClientsAt } from '../../support/official-clients.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

const TOOL = { name: 'late', inputSchema: { type: 'object' } };

let hub: RealHub;
let server: OfferingServer;
beforeAll(async () => {
  hub = await startRealHub();
  server = await offeringServer('legacy');
  server.results.set('tools/list', { tools: [TOOL] });
  server.results.set('tools/call', { content: [] });
});
afterAll(async () => {
  await hub.close();
  await server[Symbol.asyncDispose]();
});

/** Registers the server while its first list is held back, and opens the gate once `use` has begun. */
const whileListing = async <Result>(server_name: string, use: () => Promise<Result>): Promise<Result> => {
  let open: () => void = () => undefined;
  server.gates.set('tools/list', new Promise((resolve) => (open = resolve)));
  const before = server.asked.get('tools/list') ?? 0;
  const config = { mcp_server_type: 'streamable_http', server_url: server.url };
  const registered = hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config });
  await expect.poll(() => server.asked.get('tools/list')).toBeGreaterThan(before);
  const used = use();
  setTimeout(open, 300);
  try {
    return await used;
  } finally {
    open();
    await registered;
  }
};

const names = (result: unknown): readonly string[] =>
  (result as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name);

describe('a server whose first list is still being read', () => {
  it.each(['server', 'merged'])('is waited for by every client at the endpoint of kind %s', async (kind) => {
    const name = `first-${kind}`;
    const listed = await whileListing(name, async () => {
      const clients = await officialClientsAt(`${hub.url}${kind === 'server' ? `/servers/${name}` : ''}/mcp`);
      const all = await Promise.all(clients.map(async ({ ask }) => names(await ask('tools/list'))));
      for (const client of clients) await client[Symbol.asyncDispose]();
      return all;
    });
    const shown = kind === 'server' ? 'late' : `${name}__late`;
    for (const each of listed) expect(each).toContain(shown);
  });

  it('is waited for by plain REST, and by calls', async () => {
    const rest = await whileListing('first-rest', () => hubCall(hub.url, 'GET', '/servers/first-rest/tools'));
    expect(rest.json).toMatchObject([{ name: 'late' }]);
    const call = await whileListing('first-call', () => hubCall(hub.url, 'POST', '/servers/first-call/tools/late', {}));
    expect(call.status).toBe(200);
  });
});
