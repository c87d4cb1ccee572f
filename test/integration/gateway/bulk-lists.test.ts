import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { offeringServer } from '../../support/offering-server.js';
import { startRealHub } from '../../support/real-hub.js';

const COUNT = 200;
/** They come in less than a minute, and less and less often. */
const A_FEW = 20;

it('a connected client is told a few times of many servers whose first lists come one after the other', async () => {
  await using server = await offeringServer('legacy');
  server.results.set('tools/list', { tools: [{ name: 'a', inputSchema: { type: 'object' } }] });
  const hub = await startRealHub();
  const client = new Client({ name: 'counting', version: '1.0.0' });
  try {
    let told = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (told += 1));
    await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`)));
    const config = { mcp_server_type: 'streamable_http', server_url: server.url };
    await Promise.all(
      Array.from({ length: COUNT }, (_, index) =>
        hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: `s${index}`, config }),
      ),
    );
    const before = told;
    await expect.poll(async () => (await client.listTools()).tools.length).toBe(COUNT);
    // Whatever came last is told as well, a little later.
    await expect.poll(() => told, { timeout: 15_000 }).toBeGreaterThan(before === 0 ? 0 : before - 1);
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(A_FEW);
  } finally {
    await client.close();
    await hub.close();
  }
});
